"""Models side by side: one convention, parts aligned by role, and what the configs differ in."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from configs import SMALL

import paramwidget as pw
from paramwidget.compare_wire import to_wire
from paramwidget.config_difference import ABSENT, differences
from paramwidget.render.comparison import GROUPS, to_text
from paramwidget.roles import ROLES

PAIR = ["openai/gpt-oss-20b", "openai/gpt-oss-120b"]
FOUR = ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-FP8", "Qwen/Qwen3.6-35B-A3B", "deepseek-ai/DeepSeek-V3"]


@pytest.fixture(autouse=True)
def none_left_open() -> Iterator[None]:
    yield
    ipywidgets.Widget.close_all()


def changed(name: str, **fields: Any) -> pw.Breakdown:
    return pw.count({**pw.count(name).config, **fields})


# ------------------------------------------------------------------ counts


def test_the_totals_are_those_of_each_model_under_the_one_convention() -> None:
    c = pw.compare(PAIR)
    # gpt-oss model card, Table 1: 20.91B and 116.83B total, 3.61B and 5.13B active without the embedding
    assert c.totals == (20_914_757_184, 116_829_156_672)
    assert c.under("active", off={"embedding"}).totals == (3_608_307_264, 5_132_849_472)


def test_parts_are_aligned_by_role_and_a_missing_one_is_none() -> None:
    c = pw.compare(["meta-llama/Llama-3.1-8B", PAIR[1]])
    assert c.by_role["mlp"] == (5_637_144_576, None)
    assert c.by_role["routed_expert"] == (None, 114_701_598_720)
    assert list(c.by_role) == ["embedding", "attention", "mlp", "router", "routed_expert", "norm", "lm_head"]


def test_breakdowns_are_taken_as_they_are() -> None:
    b = pw.count(SMALL)
    assert pw.compare([b]).breakdowns == (b,)


@pytest.mark.parametrize("wrong", ["openai/gpt-oss-20b", SMALL, 5, None])
def test_one_model_is_no_list_of_models(wrong: Any) -> None:
    with pytest.raises(pw.ConfigError, match="takes a list of models"):
        pw.compare(wrong)


def test_nothing_cannot_be_compared() -> None:
    with pytest.raises(pw.ConfigError, match="from 1 to 200 models, and got 0"):
        pw.compare([])


def test_an_unknown_toggle_is_refused_before_anything_is_read() -> None:
    with pytest.raises(pw.ConventionError, match="Did you mean 'embedding'"):
        pw.compare(["no/such-model"], off={"embeding"})


# ------------------------------------------------------------------ names


def test_two_revisions_of_one_model_are_told_apart_by_their_commits() -> None:
    b = pw.count(PAIR[0])
    two = [replace(b, provenance=replace(b.provenance, kind="hub", revision=c * 40)) for c in "ab"]
    assert pw.compare(two).labels == ("openai/gpt-oss-20b @ aaaaaaa", "openai/gpt-oss-20b @ bbbbbbb")


def test_a_base_and_its_quantized_config_of_one_name_are_told_apart_by_the_method() -> None:
    base = {k: v for k, v in pw.count(PAIR[0]).config.items() if k != "quantization_config"}
    c = pw.compare([base, pw.count(PAIR[0]).config])
    assert c.labels == ("config not quantized", "config mxfp4")


def test_two_folders_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "model").mkdir(parents=True)
        (tmp_path / name / "model" / "config.json").write_text(json.dumps(SMALL))
    labels = pw.compare([tmp_path / name / "model" for name in ("a", "b")]).labels
    assert len(set(labels)) == 2


def test_what_nothing_tells_apart_is_numbered() -> None:
    assert pw.compare([SMALL, SMALL]).labels == ("config (1)", "config (2)")


def test_an_owner_that_all_share_is_said_once() -> None:
    assert pw.compare(PAIR).short_labels == ("gpt-oss-20b", "gpt-oss-120b")
    assert pw.compare([PAIR[0], FOUR[0]]).short_labels == (PAIR[0], FOUR[0])


# ------------------------------------------------------------------ order


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("-stored", [1, 0, 2]),
        ("active", [2, 0, 1]),
        ("model", [2, 0, 1]),
        ("-model", [1, 0, 2]),
        ("-ratio", [1, 0, 2]),
        ("-mlp", [2, 0, 1]),  # only the dense one has an MLP; the others keep their order
        ("", [0, 1, 2]),
    ],
)
def test_models_are_sorted_by_a_total_a_ratio_a_part_or_the_name(key: str, order: list[int]) -> None:
    names = ["m/gpt-20b", "z/gpt-120b", "a/llama"]
    sources = [*PAIR, "Qwen/Qwen2.5-0.5B"]
    bs = [replace(pw.count(s), model=n) for s, n in zip(sources, names, strict=True)]
    assert [b.model for b in pw.compare(bs).sort(key).breakdowns] == [names[i] for i in order]


def test_an_unknown_order_is_refused_with_the_nearest() -> None:
    with pytest.raises(pw.ConventionError, match="Did you mean 'attention'"):
        pw.compare(PAIR).sort("-atention")


# ------------------------------------------------------------------ what the configs differ in


def deciding(*sources: Any) -> dict[str, tuple[Any, ...]]:
    return {d.field: d.values for d in pw.compare(sources).differences if d.decides}


def test_gpt_oss_20b_and_120b_differ_in_layers_and_experts_alone() -> None:
    assert deciding(*PAIR) == {"num_hidden_layers": (24, 36), "num_local_experts": (32, 128)}
    assert all(d.decides for d in pw.compare(PAIR).differences)


def test_base_and_quantized_differ_in_the_quantization() -> None:
    # the fp8 config predicts block scales; the format of an element moves no count
    found = {d.field: d.decides for d in pw.compare(FOUR[:2]).differences}
    assert found == {
        "quantization_config.quant_method": True,
        "quantization_config.weight_block_size": True,
        "quantization_config.fmt": False,
    }


def test_a_field_that_decides_no_count_is_said_to_decide_none() -> None:
    llama = "meta-llama/Llama-3.1-8B"
    other = changed(llama, rope_theta=1.0, hidden_size=2048)
    found = {d.field: d.decides for d in differences([pw.count(llama), other])}
    assert found["hidden_size"] is True
    assert found["rope_theta"] is False


def test_two_spellings_of_a_field_are_one_field() -> None:
    old = {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "n_embd": 8,
        "n_head": 2,
        "n_layer": 1,
        "vocab_size": 16,
        "n_positions": 4,
    }
    new = {**{k: v for k, v in old.items() if k != "n_layer"}, "num_hidden_layers": 2}
    assert deciding(old, new) == {"num_hidden_layers": (1, 2)}


def test_a_default_of_the_class_is_as_good_as_the_same_value_in_the_file() -> None:
    llama = {k: v for k, v in pw.count("meta-llama/Llama-3.1-8B").config.items() if k != "rms_norm_eps"}
    without = {k: v for k, v in llama.items() if k != "num_key_value_heads"}
    b = pw.count(without)
    assert "num_key_value_heads" in b.defaulted
    assert deciding(b, {**without, "num_key_value_heads": int(b.defaulted["num_key_value_heads"])}) == {}


def test_fields_of_nested_configs_are_compared_and_those_of_the_text_model_lose_its_prefix() -> None:
    found = deciding("Qwen/Qwen3-VL-2B-Instruct", "Qwen/Qwen3-VL-4B-Instruct")
    assert found["hidden_size"] == (2048, 2560)
    assert found["vision_config.out_hidden_size"] == (2048, 2560)


def test_a_field_that_the_other_family_lacks_is_varied_to_see_whether_it_decides() -> None:
    found = deciding("Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V3")
    assert found["kv_lora_rank"] == (ABSENT, 512)
    assert "n_shared_experts" in found


def test_one_model_differs_from_itself_in_nothing() -> None:
    assert pw.compare([PAIR[0], PAIR[0]]).differences == ()


# ------------------------------------------------------------------ forms of output


def test_the_markdown_has_parts_as_rows_and_the_fields_that_differ() -> None:
    text = pw.compare(PAIR).to_markdown()
    assert "| part | gpt-oss-20b | share | gpt-oss-120b | share |" in text
    assert "| routed experts | 19,116,933,120 | 91.4% | 114,701,598,720 | 98.2% |" in text
    assert "| **stored / active** | **4.99 ×** |  | **20.5 ×** |  |" in text
    assert "| num_hidden_layers | 24 | 36 |" in text


def test_base_and_quantized_have_one_count_and_different_bytes() -> None:
    text = to_text(pw.compare(FOUR[:2]))
    rows = {line.split("  ")[0]: line.split() for line in text.splitlines() if line}
    assert rows["total stored"][2:] == ["8,190,735,360", "8,190,735,360"]
    assert rows["weights as stored"][3::2] != rows["weights as stored"][4::2]
    assert "16.38 GB" in text


def test_many_models_are_rows_with_shares_of_groups() -> None:
    names = pw.catalog()[::10]
    lines = to_text(pw.compare(names)).splitlines()
    assert len(names) == 20
    assert lines[2].split() == ["model", "stored", "active", "ratio", *GROUPS]
    assert len(lines[4]) <= 140
    assert [line.split()[0] for line in lines[4:24]] == names


def test_every_share_of_a_row_adds_up_to_the_model() -> None:
    assert sorted(role for roles in GROUPS.values() for role in roles) == sorted(ROLES)


def test_departures_are_said() -> None:
    assert to_text(pw.compare(PAIR, off={"embedding"})).startswith("2 models, stored, embedding out\n")


def test_the_dict_has_every_count_and_is_json() -> None:
    d = json.loads(json.dumps(pw.compare(PAIR, "active").to_dict()))
    assert (d["basis"], [m["total"] for m in d["models"]]) == ("active", [4_187_440_704, 5_711_982_912])
    assert d["models"][1]["by_role"]["routed_expert"] == 3_584_424_960
    assert d["differences"][0] == {"field": "num_hidden_layers", "decides": True, "values": [24, 36]}


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("names", [PAIR, FOUR, pw.catalog()[::10]])
def test_the_html_holds_nothing_that_a_sanitizer_drops(names: list[str]) -> None:
    html = pw.compare(names).to_html()
    found = Tags(html)
    assert found.tags <= {"div", "p", "b", "br", "small", "table", "thead", "tbody", "tr", "th", "td", "span"}
    assert found.attributes <= {"style", "scope", "title", "dir", "lang"}
    for b in pw.compare(names).breakdowns:
        assert f"{b.stored:,}" in html


def test_a_hostile_name_is_text_in_every_form() -> None:
    b = replace(pw.count(SMALL), model="<script>x</script>|a")
    c = pw.compare([b, PAIR[0]])
    assert "<script" not in c.to_html()
    assert "<script" not in c.to_markdown()
    assert "|a" not in c.to_markdown().replace("\\|a", "")


# ------------------------------------------------------------------ pandas


def test_without_pandas_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for source in (pw.compare(PAIR), pw.count(PAIR[0])):
        with pytest.raises(pw.ParamWidgetError, match="pip install pandas"):
            source.to_frame()


def test_a_frame_has_a_row_for_each_model() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pw.compare(PAIR, "active").to_frame()
    assert list(frame.index) == PAIR
    assert list(frame["stored"]) == [20_914_757_184, 116_829_156_672]
    assert frame.loc[PAIR[1], "routed_expert"] == 3_584_424_960


def test_a_frame_has_a_row_for_each_tensor() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    b = pw.count(PAIR[1])
    frame = b.to_frame()
    assert len(frame) == len(b.tensors)
    assert int(frame["stored"].sum()) == b.stored
    assert int(frame[frame["role"] == "routed_expert"]["active"].sum()) == 3_584_424_960


# ------------------------------------------------------------------ command line


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "paramwidget", *words], capture_output=True, text=True)


def test_the_command_prints_the_table() -> None:
    done = run("compare", *PAIR, "--off", "embedding")
    assert done.returncode == 0
    assert done.stdout.startswith("2 models, stored, embedding out\n")
    assert "116,250,023,232" in done.stdout


def test_the_command_prints_json_sorted() -> None:
    done = run("compare", *PAIR, "--basis", "active", "--sort=-active", "--json")
    assert [m["model"] for m in json.loads(done.stdout)["models"]] == PAIR[::-1]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("compare",), 2, "MODEL"),
        (("compare", *PAIR, "--basis", "all"), 2, "one of stored, architectural or active"),
        (("compare", *PAIR, "--sort", "size"), 2, "Models cannot be sorted by 'size'"),
        (("compare", PAIR[0], "./no-such-folder"), 2, "no-such-folder"),
    ],
)
def test_the_command_says_what_is_wrong(words: tuple[str, ...], status: int, said: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr


# ------------------------------------------------------------------ CompareView


def test_a_view_starts_stored_and_counts_under_what_is_chosen() -> None:
    view = pw.CompareView(PAIR)
    assert (view.basis, view.off, view.on, view.sort) == ("stored", [], [], "")
    view.basis, view.off = "active", ["embedding"]
    assert view.totals == (3_608_307_264, 5_132_849_472)
    view.sort = "-active"
    assert view.totals == (5_132_849_472, 3_608_307_264)


def test_a_view_takes_a_comparison_and_its_convention_unless_another_is_given() -> None:
    c = pw.compare(PAIR, "active", off={"embedding"})
    assert pw.CompareView(c).totals == (3_608_307_264, 5_132_849_472)
    assert pw.CompareView(c, "stored", off=()).totals == (20_914_757_184, 116_829_156_672)


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        ("basis", "total", "one of stored"),
        ("off", ["embeding"], "Did you mean 'embedding'"),
        ("sort", "size", "cannot be sorted by 'size'"),
    ],
)
def test_what_is_unknown_is_refused_and_changes_nothing(trait: str, value: Any, said: str) -> None:
    view = pw.CompareView(PAIR)
    before = getattr(view, trait)
    with pytest.raises(pw.ConventionError, match=said):
        setattr(view, trait, value)
    assert getattr(view, trait) == before


def test_a_toggle_is_out_or_in_as_in_the_view_of_one_model() -> None:
    view = pw.CompareView(PAIR, on={"scale"})
    view.off = ["scale"]
    assert (view.off, view.on) == (["scale"], [])


def test_the_state_holds_the_bundle_of_its_own() -> None:
    state = pw.CompareView(PAIR).get_state()
    static = Path(pw.__file__).parent / "static"
    assert state["_esm"] == (static / "compare.js").read_text(encoding="utf-8")
    assert state["_css"] == (static / "compare.css").read_text(encoding="utf-8")


def test_the_data_of_twenty_models_is_small() -> None:
    assert len(json.dumps(pw.CompareView(pw.catalog()[::10]).data)) < 80_000


def test_the_groups_of_the_wire_add_up_to_the_tensors() -> None:
    c = pw.compare(FOUR)
    for b, model in zip(c.breakdowns, to_wire(c)["models"], strict=True):
        assert sum(g["elements"] for g in model["groups"]) == sum(t.numel * int(t.copies) for t in b.tensors)
        keys = [(g["role"], g["kind"], g.get("tied")) for g in model["groups"]]
        assert len(set(keys)) == len(keys)


def test_the_static_table_follows_the_convention_and_the_order() -> None:
    view = pw.CompareView(PAIR, off=["embedding"], sort="-stored")
    html = view._repr_html_()
    assert html.index("gpt-oss-120b") < html.index("gpt-oss-20b")
    assert "116,250,023,232" in html
    assert repr(view) == "<CompareView of 2 models, stored>"


def test_the_magic_compares() -> None:
    from paramwidget.magic import params

    view = params(f"compare {' '.join(PAIR)} --basis active --sort=-stored")
    assert isinstance(view, pw.CompareView)
    assert (view.basis, view.sort, len(view.comparison)) == ("active", "-stored", 2)


def test_the_wrong_usage_of_the_magic_is_said() -> None:
    errors = importlib.import_module("IPython.core.error")
    from paramwidget.magic import params

    with pytest.raises(errors.UsageError, match="usage: %params compare"):
        params("compare")
