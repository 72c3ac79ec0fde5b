"""The documented conventions: each gives the integer that its source prints, where it says something."""

from __future__ import annotations

import pytest

import paramwidget as pw
from paramwidget.conventions import Convention
from paramwidget.presets import documented, presets_for

GEMMA_26B = "google/gemma-4-26B-A4B"
NANO = "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"

#: (preset, model) -> the exact count; a comment says what its source prints, or where the integer was built
PUBLISHED = {
    ("full_forward_pass", "mistralai/Mixtral-8x7B-v0.1"): 12_879_925_248,  # 12.9B
    ("gpt_oss_card", "openai/gpt-oss-120b"): 5_132_849_472,  # 5.13B
    ("gpt_oss_card", "openai/gpt-oss-20b"): 3_608_307_264,  # 3.61B
    ("qwen_activated", "Qwen/Qwen1.5-MoE-A2.7B"): 2_689_173_504,  # 2.7B
    ("qwen_activated", "Qwen/Qwen3-30B-A3B"): 3_353_032_704,  # 3.3B, cut off
    ("qwen_activated", "Qwen/Qwen3.8-2.4T-A95B"): 95_287_866_752,  # 95B
    ("glm_report", "zai-org/GLM-4.5"): 355_234_006_336,  # 355B
    ("glm_report_active", "zai-org/GLM-4.5"): 32_482_313_536,  # 32B
    ("active_without_tables", "deepseek-ai/DeepSeek-V2-Lite"): 2_241_719_808,  # 2.24B
    ("nemotron_active", NANO): 3_227_754_816,  # 3.2B
    ("nemotron_active_with", NANO): 3_580_076_352,  # 3.6B including embeddings
    ("gemma_effective", "google/gemma-4-E2B-it"): 2_279_759_139,  # 2.3B effective
    ("gemma_total", GEMMA_26B): 25_233_141_790,  # 25.2B
    ("mistral_with_vision", "mistralai/Devstral-Small-2-24B-Instruct-2512"): 24_011_361_280,
    ("non_embedding", "Qwen/Qwen2.5-0.5B"): 357_898_112,  # 0.36B
    ("without_mtp", "deepseek-ai/DeepSeek-V3"): 671_026_419_200,  # 671B
    ("without_mtp", "Qwen/Qwen3-Next-80B-A3B-Instruct"): 79_674_391_296,  # 80B
    ("hub_chip", "Qwen/Qwen2.5-0.5B"): 494_032_768,  # Hub, safetensors.total
    ("hub_chip_with_copies", "deepseek-ai/DeepSeek-V3"): 684_531_386_000,  # Hub, safetensors.total
    ("hub_until_2026_07", "openai/gpt-oss-120b"): 120_412_337_472,  # Hub, until July 2026
    # built by transformers 5.24 on the meta device
    ("num_parameters", "deepseek-ai/DeepSeek-V3"): 671_026_404_352,
    ("num_parameters", "Qwen/Qwen3-Next-80B-A3B-Instruct"): 79_674_391_296,
    ("num_parameters", NANO): 31_577_937_344,
    ("num_parameters", "zai-org/GLM-4.5"): 352_797_814_784,
    ("exclude_embeddings", "meta-llama/Llama-3.1-8B"): 7_504_924_672,
    ("exclude_embeddings", "deepseek-ai/DeepSeek-V3"): 670_099_725_312,
    ("exclude_embeddings", NANO): 31_225_615_808,
    ("exclude_embeddings_tied", "openai-community/gpt2"): 85_056_000,
    ("exclude_embeddings_tied", "Qwen/Qwen2.5-0.5B"): 357_898_112,
    ("mteb_active", "intfloat/multilingual-e5-large"): 559_890_432 - 256_002_048,  # n_embedding_parameters
    ("kaplan", "openai-community/gpt2"): 12 * 12 * 768**2,  # 12 × layers × width²
}


@pytest.mark.parametrize(("key", "name"), PUBLISHED)
def test_a_preset_gives_the_number_that_its_source_prints(key: str, name: str) -> None:
    b = pw.count(name)
    (preset,) = [p for p in presets_for(b) if p.key == key]
    assert preset.of(b) == PUBLISHED[key, name]


def test_every_preset_is_held_against_a_number() -> None:
    assert {p.key for p in pw.PRESETS} == {key for key, _ in PUBLISHED}


@pytest.mark.parametrize("preset", pw.PRESETS, ids=lambda p: p.key)
def test_every_preset_cites_where_it_is_written(preset: Convention) -> None:
    assert preset.label
    assert preset.citation.endswith(".") or preset.citation.endswith("”")
    assert preset.url.startswith("https://")
    assert preset.model_types or preset.anywhere


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "openai/gpt-oss-120b",
            "full_forward_pass gpt_oss_card active_without_tables non_embedding hub_until_2026_07 exclude_embeddings",
        ),
        ("Qwen/Qwen2.5-0.5B", "full_forward_pass non_embedding hub_chip exclude_embeddings_tied kaplan"),
        ("meta-llama/Llama-3.1-8B", "full_forward_pass non_embedding exclude_embeddings"),
    ],
)
def test_a_model_is_offered_the_presets_that_say_something_about_it(name: str, expected: str) -> None:
    assert [p.key for p in presets_for(pw.count(name))] == expected.split()


@pytest.mark.parametrize("name", pw.catalog())
def test_a_preset_that_is_shown_names_only_parts_that_the_model_has_or_else_another_one_that_it_has(
    name: str,
) -> None:
    b = pw.count(name)
    has = {t.key for t in b.toggles}
    for p in presets_for(b):
        assert not (p.off or p.on) or has & {*p.off, *p.on}


def test_a_preset_is_documented_by_model_type_and_not_by_name() -> None:
    config = dict(pw.count("openai/gpt-oss-20b").config)
    assert [p.key for p in documented(pw.count(config))] == ["gpt_oss_card", "hub_until_2026_07"]
    assert [p.key for p in documented(pw.count("meta-llama/Llama-3.1-8B"))] == []
