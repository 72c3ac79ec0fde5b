"""Counts held against transformers (on the meta device) and against totals that the Hub reported.

The reference (tests/reference) is made by ``make conformance``; nothing of it is needed to count.
"""

from __future__ import annotations

from typing import Any

import pytest
from sweep import measured, read
from totals import explain, parts

import paramwidget as pw
from paramwidget.architectures import TABLE

MODELS = {r["repo"]: r for r in read("models.jsonl")}
KNOWN = {
    repo: r for repo, r in MODELS.items() if r["config"].get("model_type") in TABLE and r["how"] != "trimmed"
}
DEFAULTS = {r["class"]: r for r in read("defaults.jsonl") if r["type"] in TABLE}

#: of a known type, and refused all the same
REFUSED = {
    "specforge/gpt-oss-120B-EAGLE3-draft": "a draft head under the type of Llama, with other tensors",
    "specforge/LLaMA3.1-8B-EAGLE3-draft": "a draft head under the type of Llama, with other tensors",
    "specforge/Qwen3-8B-DFlash-draft": "a draft model under the type of Qwen3, with other tensors",
}
#: no config.json at all, though its type is known: the key that is missed first
INCOMPLETE = {"arcee-ai/AFM-4.5B@params": "hidden_size"}
#: transformers cannot build these, so there is nothing to compare with
UNMEASURED = {repo for repo, r in KNOWN.items() if r["params"] is None}
#: the default of the class says null for the experts that a token uses
REFUSED_DEFAULTS = {"DeepseekV2ForCausalLM": "num_experts_per_tok"}


def expected(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["params"], row["tied"], row["buffers"]


def test_the_reference_has_many_configs_of_known_types() -> None:
    assert len(KNOWN) >= 80
    assert set(REFUSED) <= set(KNOWN)


@pytest.mark.parametrize("repo", sorted(KNOWN.keys() - REFUSED.keys() - INCOMPLETE.keys() - UNMEASURED))
def test_a_real_config_has_the_parameters_ties_and_buffers_of_transformers(repo: str) -> None:
    row = KNOWN[repo]
    assert measured(pw.count(row["config"])) == expected(row)


@pytest.mark.parametrize("repo", REFUSED)
def test_a_draft_model_under_a_known_type_is_refused_by_its_class(repo: str) -> None:
    with pytest.raises(pw.UnknownArchitecture) as caught:
        pw.count(KNOWN[repo]["config"])
    assert caught.value.name == KNOWN[repo]["config"]["architectures"][0]


@pytest.mark.parametrize("repo", INCOMPLETE)
def test_a_config_that_leaves_out_a_size_is_refused_by_its_key(repo: str) -> None:
    with pytest.raises(pw.ConfigError) as caught:
        pw.count(KNOWN[repo]["config"])
    assert caught.value.key == INCOMPLETE[repo]


@pytest.mark.parametrize("repo", sorted(UNMEASURED))
def test_what_transformers_cannot_build_is_counted_all_the_same(repo: str) -> None:
    assert pw.count(KNOWN[repo]["config"]).stored > 0


@pytest.mark.parametrize("cls", sorted(DEFAULTS.keys() - REFUSED_DEFAULTS.keys()))
def test_the_default_config_of_a_class_counts_as_in_transformers(cls: str) -> None:
    assert measured(pw.count(DEFAULTS[cls]["config"])) == expected(DEFAULTS[cls])


@pytest.mark.parametrize("cls", REFUSED_DEFAULTS)
def test_a_default_config_that_says_null_where_a_number_must_be_is_refused(cls: str) -> None:
    with pytest.raises(pw.ConfigError, match=f"{REFUSED_DEFAULTS[cls]} is null"):
        pw.count(DEFAULTS[cls]["config"])


# ------------------------------------------------------------------ totals that the Hub reported

TOTALS = {(r["repo"], r["total"]) for r in read("hub_totals.jsonl") if r["repo"] in KNOWN} - {
    (repo, total)
    for repo, total in ((r["repo"], r["total"]) for r in read("hub_totals.jsonl"))
    if repo in REFUSED
}

#: what is no total of that repository's config, or is not explained by a part that the config knows: why
UNEXPLAINED = {
    ("Qwen/Qwen-7B-Chat", 7_721_324_544): "the config at hand is that of another model, Qwen-1.8B",
    (
        "Qwen/Qwen3-Embedding-8B",
        7_567_295_488,
    ): "a causal class whose files hold no head, and a shorter table",
    ("allenai/Olmo-3-7B-Instruct", 528_384): "a count of a part of the files",
}
#: files packed to four bits, whose elements are not parameters: their total is below what is stored
PACKED = {
    "deepseek-ai/DeepSeek-V4-Flash",
    "deepseek-ai/DeepSeek-V4-Pro",
    "nvidia/DeepSeek-V3-0324-NVFP4",
    "nvidia/DeepSeek-V3.2-NVFP4",
    "nvidia/Gemma-4-31B-IT-NVFP4",
    "nvidia/MiniMax-M2.5-NVFP4",
    "nvidia/MiniMax-M2.7-NVFP4",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4",
    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4",
}


@pytest.mark.parametrize(("repo", "total"), sorted(TOTALS - UNEXPLAINED.keys()))
def test_a_total_of_the_hub_is_explained_to_the_unit(repo: str, total: int) -> None:
    b = pw.count(KNOWN[repo]["config"])
    if repo in PACKED:
        assert total < b.stored
    else:
        assert explain(b, total) is not None, f"{total - b.stored:+,} against {parts(b)}"


@pytest.mark.parametrize("repo", sorted(repo for repo, row in MODELS.items() if repo in pw.catalog()))
def test_a_bundled_config_counts_as_the_whole_config_it_was_cut_from(repo: str) -> None:
    whole, bundled = pw.count(MODELS[repo]["config"]), pw.count(repo)
    for basis in ("stored", "architectural", "active"):
        assert bundled.by_role(basis) == whole.by_role(basis)
    assert bundled.weight_bytes == whole.weight_bytes
