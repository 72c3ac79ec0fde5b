"""Counts held against transformers (on the meta device) and against totals that the Hub reported.

The reference (tests/reference) is made by ``make conformance``; nothing of it is needed to count.
"""

from __future__ import annotations

from typing import Any

import pytest
from sweep import defaults, judge, measured, passed_over, read, real
from totals import UNEXPLAINED, explain, parts

import paramwidget as pw
from paramwidget.architectures import TABLE

MODELS = {r["repo"]: r for r in read("models.jsonl")}
KNOWN = {
    repo: r for repo, r in MODELS.items() if r["config"].get("model_type") in TABLE and r["how"] != "trimmed"
}
DEFAULTS = {f"{r['type']}:{r['class']}": r for r in read("defaults.jsonl") if r["type"] in TABLE}

#: the reference is of another class than the config names, which transformers does not have
ANOTHER_CLASS = {
    repo
    for repo, r in KNOWN.items()
    if r["params"] is not None
    and r["config"].get("architectures", [r["class"]])[0] in ("LlamaForCausalLMEagle3", "DFlashDraftModel")
}
#: T5's kin with a head of their own, which transformers makes a tie of when it builds the class
OWN_HEAD = {
    repo
    for repo, r in KNOWN.items()
    if r["config"].get("model_type") in ("t5", "mt5") and r["config"].get("tie_word_embeddings") is False
}
#: with biases and learned positions, which transformers does not read
MAKERS_MPT = "wtang06/mpt-125m-c4"
#: transformers reads these otherwise than their makers' code: it passes over names that it does not know
OTHERWISE = {
    "PatrickHaller/xlstm_wikipedia_110M_500M": "_xlstm_config",
    "Q-bert/Mamba-1B": "d_inner",  # as its makers' code names the sizes
    "Q-bert/Mamba-370M": "d_inner",
    "Qwen/Qwen3-ASR": "thinker_config",
    "arcee-ai/AFM-4.5B@params": "dim",  # a params.json
}
#: transformers cannot build these, so there is nothing to compare with
UNMEASURED = {repo for repo, r in KNOWN.items() if r["params"] is None}


def expected(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["params"], row["tied"], row["buffers"]


def test_the_reference_has_many_configs_of_known_types() -> None:
    assert len(KNOWN) >= 80
    assert len(ANOTHER_CLASS) == 3
    assert len(OWN_HEAD) == 7


@pytest.mark.parametrize(
    "repo",
    sorted(KNOWN.keys() - ANOTHER_CLASS - OWN_HEAD - OTHERWISE.keys() - {MAKERS_MPT} - UNMEASURED),
)
def test_a_real_config_has_the_parameters_ties_and_buffers_of_transformers(repo: str) -> None:
    row = KNOWN[repo]
    assert measured(pw.count(row["config"])) == expected(row)


@pytest.mark.parametrize("repo", sorted(OWN_HEAD))
def test_a_head_of_its_own_is_all_that_t5_has_beyond_what_transformers_builds(repo: str) -> None:
    row = KNOWN[repo]
    params, tied, buffers = expected(row)
    head = row["config"]["vocab_size"] * row["config"]["d_model"]
    assert measured(pw.count(row["config"])) == (params + head, tied - head, buffers)


@pytest.mark.parametrize("repo", sorted(ANOTHER_CLASS))
def test_a_draft_is_counted_as_its_class_and_not_as_the_type_of_its_target(repo: str) -> None:
    row = KNOWN[repo]
    b = pw.count(row["config"])
    assert b.architecture == row["config"]["architectures"][0]
    assert b.stored < row["params"]


@pytest.mark.parametrize("repo", OTHERWISE)
def test_what_transformers_passes_over_is_read(repo: str) -> None:
    row = KNOWN[repo]
    assert OTHERWISE[repo] in row["config"]
    assert measured(pw.count(row["config"])) != expected(row)
    assert passed_over(row["config"], row) == expected(row)  # what transformers builds instead


def test_mpt_of_its_makers_class_has_what_transformers_leaves_out() -> None:
    row = KNOWN[MAKERS_MPT]
    biases = 12 * (2304 + 768 + 3072 + 768 + 2 * 768) + 768
    assert pw.count(row["config"]).stored == row["params"] + biases + 2048 * 768


def test_a_params_json_of_afm_takes_the_width_of_the_class_and_says_so() -> None:
    b = pw.count(KNOWN["arcee-ai/AFM-4.5B@params"]["config"])
    # two tables and a norm; 36 layers of attention, two norms and the two matrices of 18,432
    layer = 2 * 2560 * (20 + 4) * 128 + 2 * 2560 + 2 * 2560 * 18_432
    assert b.stored == 2 * 128_004 * 2560 + 2560 + 36 * layer
    assert b.defaulted["intermediate_size"] == 18_432


def test_a_params_json_of_arcee_at_another_width_is_refused_and_told_what_to_give() -> None:
    with pytest.raises(pw.ConfigError, match=r"intermediate_size is missing.* Add the key") as caught:
        pw.count({**KNOWN["arcee-ai/AFM-4.5B@params"]["config"], "dim": 2048, "n_heads": 16})
    assert caught.value.key == "intermediate_size"


def test_the_sweep_leaves_nothing_unexplained() -> None:
    rows = real() + defaults()
    assert {r.outcome for r in rows} <= {"exact", "explained", "refused", "unmeasured"}
    assert "longcat_flash" in {r.model_type for r in rows if r.outcome == "explained"}


def test_the_sweep_calls_a_difference_that_nothing_explains_a_residual() -> None:
    row = DEFAULTS["longcat_flash:LongcatFlashForCausalLM"]
    assert judge("longcat", "longcat_flash", row["config"], row).outcome == "explained"
    assert (
        judge("longcat", "longcat_flash", row["config"], {**row, "params": row["params"] - 1}).outcome
        == "residual"
    )


@pytest.mark.parametrize("repo", sorted(UNMEASURED))
def test_what_transformers_cannot_build_is_counted_all_the_same(repo: str) -> None:
    assert pw.count(KNOWN[repo]["config"]).stored > 0


@pytest.mark.parametrize(
    ("repo", "stored"),
    [
        # names and shapes of its files: 1,029 tensors
        ("THUDM/cogvlm2-llama3-caption", 12_507_532_544),
        # transformers' Siglip2VisionModel 427,680,704 and Qwen3ForCausalLM 1,720,050,688; the projector 13,644,800
        ("nvidia/Eagle-Block2A-2B-v2", 427_680_704 + 1_720_050_688 + 13_644_800),
        # xlstm 2.0.6 builds this
        ("PatrickHaller/xlstm_wikipedia_110M_500M", 111_115_200),
        # by hand: two tables and a norm; attention and norms of 32 layers, 64 frequencies each; 2
        # dense layers; 30 of experts
        (
            "jianzhnie/Kimi2-PCL",
            2 * 163_840 * 7168
            + 7168
            + 32 * (2 * 8192 * 7168 + 2 * 256 * 7168 + 2 * 128 + 2 * 7168)
            + 2 * 3 * 7168 * 18_432
            + 32 * 64
            + 30 * (129 * 3 * 7168 * 12_288 + 128 * 7168 + 128),
        ),
    ],
)
def test_what_its_makers_code_or_files_have_is_counted(repo: str, stored: int) -> None:
    assert pw.count(MODELS[repo]["config"]).stored == stored


def test_cogvlm_for_videos_has_as_many_tensors_as_its_files() -> None:
    b = pw.count(MODELS["THUDM/cogvlm2-llama3-caption"]["config"])
    # of each layer in each place one
    assert sum(t.copies for t in b.tensors) == 74 + 91 + 89 + 438 + 336 + 1


def xlstm(blocks: int, *, scalar: tuple[int, ...] = (), bias: bool = False, **matrix: Any) -> dict[str, Any]:
    inner = {
        "num_blocks": blocks,
        "embedding_dim": 64,
        "vocab_size": 100,
        "bias": bias,
        "slstm_at": list(scalar),
        "mlstm_block": {"mlstm": {"num_heads": 4, **matrix}},
        "slstm_block": {"slstm": {}, "feedforward": {}},
    }
    return {"model_type": "xlstm", "architectures": ["xLSTMForCausalLM"], "_xlstm_config": inner}


@pytest.mark.parametrize(
    ("config", "stored"),
    [
        (xlstm(3, bias=True), 99_032),
        (xlstm(3, scalar=(1,)), 100_304),
        (xlstm(3, proj_factor=1.3, qkv_proj_blocksize=8), 101_528),
    ],
)
def test_xlstm_of_its_package_counts_as_xlstm_2_0_6_builds_it(config: dict[str, Any], stored: int) -> None:
    assert pw.count(config).stored == stored


def test_longcat_has_no_tensors_for_the_experts_that_compute_nothing() -> None:
    row = DEFAULTS["longcat_flash:LongcatFlashForCausalLM"]
    # transformers 5.24 makes room for gate and up of 256 zero experts in 28 layers; no file holds them
    room = 28 * 256 * 2 * 6144 * 2048
    assert measured(pw.count(row["config"])) == (row["params"] - room, row["tied"], row["buffers"])


@pytest.mark.parametrize("cls", sorted(DEFAULTS.keys() - {"longcat_flash:LongcatFlashForCausalLM"}))
def test_the_default_config_of_a_class_counts_as_in_transformers(cls: str) -> None:
    assert measured(pw.count(DEFAULTS[cls]["config"])) == expected(DEFAULTS[cls])


def test_a_top_k_that_the_class_itself_leaves_open_is_a_range_from_none_to_all() -> None:
    row = DEFAULTS["deepseek_v2:DeepseekV2ForCausalLM"]
    assert row["config"]["num_experts_per_tok"] is None
    b = pw.count(row["config"])
    low, high = b.total_range("active")
    # 64 experts of three matrices of 4,096 × 1,407, in each of 32 layers
    assert (high, high - low) == (row["params"], 32 * 64 * 3 * 4096 * 1407)
    routed = [t for t in b.tensors if t.role == "routed_expert"]
    assert {(t.active_low, t.note) for t in routed} == {
        (0, "num_experts_per_tok is not given: a token may use none of them, or all")
    }


# ------------------------------------------------------------------ totals that the Hub reported

TOTALS = {(r["repo"], r["total"]) for r in read("hub_totals.jsonl") if r["repo"] in KNOWN}

#: files packed to four bits, whose elements are not parameters: their total is below what is stored
PACKED = {
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
    if repo in PACKED and total < b.stored:
        assert explain(b, total) is None
    else:
        assert explain(b, total) is not None, f"{total - b.stored:+,} against {parts(b)}"


@pytest.mark.parametrize(("repo", "total"), UNEXPLAINED)
def test_a_total_that_the_config_cannot_explain_differs_by_an_exact_named_number(
    repo: str, total: int
) -> None:
    assert total - pw.count(MODELS[repo]["config"]).stored == UNEXPLAINED[repo, total][0]


BUNDLED = set(pw.catalog())
BUNDLED_TOTALS = sorted({(r["repo"], r["total"]) for r in read("hub_totals.jsonl") if r["repo"] in BUNDLED})


@pytest.mark.parametrize(("repo", "total"), BUNDLED_TOTALS)
def test_a_bundled_model_is_what_the_hub_reported_or_differs_by_named_parts(repo: str, total: int) -> None:
    b = pw.count(repo)
    if (repo, total) in UNEXPLAINED:
        assert total - b.stored == UNEXPLAINED[repo, total][0]
    elif repo not in PACKED:
        assert explain(b, total) is not None, f"{total - b.stored:+,} against {parts(b)}"


@pytest.mark.parametrize(
    "repo", sorted(r for r, row in MODELS.items() if r in BUNDLED and row["how"] != "trimmed")
)
def test_a_bundled_config_counts_as_the_whole_config_it_was_cut_from(repo: str) -> None:
    whole, bundled = pw.count(MODELS[repo]["config"]), pw.count(repo)
    for basis in ("stored", "architectural", "active"):
        assert bundled.by_role(basis) == whole.by_role(basis)
    if (
        whole.weight_bytes is not None
    ):  # the reference keeps less of some quantization configs than the catalog
        assert bundled.weight_bytes == whole.weight_bytes
