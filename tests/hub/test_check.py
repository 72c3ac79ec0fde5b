"""The check of a repository: config and headers at one commit, held against each other, on a Hub of this machine."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence

import layouts
import pytest
from configs import bundled
from layouts import Tensor

import paramwidget as pw
from paramwidget.cli import main
from paramwidget.kernel import _RUNNING, answer
from paramwidget.residual import Residual

from . import SHA, File, Hub, safetensors, sharded

GPT_OSS, V3 = "openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V3"


def shards(tensors: Sequence[Tensor], count: int) -> list[Sequence[Tensor]]:
    """The tensors in so many shards, in their order."""
    each = -(-len(tensors) // count)
    return [tensors[i : i + each] for i in range(0, len(tensors), each)]


def residual_of(source: str, **how: object) -> Residual:
    found = pw.count(source, check=True, **how).residual  # type: ignore[arg-type]
    assert found is not None
    return found


def rows_of(residual: Residual) -> dict[str, tuple[int, int, str]]:
    return {row.name: (row.predicted, row.found, row.cause) for row in residual.rows}


@pytest.fixture
def deepseek_v3(hub: Hub) -> Hub:
    """163 shards with FP8 weights, block scales and the MTP layer, which has tables of its own."""
    tensors = layouts.with_scales(pw.count(V3), tied=True)
    assert len(tensors) == 91_991
    files = sharded(shards(tensors, 163), digits=6)
    assert "model-00001-of-000163.safetensors" in files
    hub.add(V3, {"config.json": json.dumps(bundled(V3)), **files}, total={"F8_E4M3": 684_531_386_000})
    return hub


def test_every_term_of_deepseek_v3_is_a_row(deepseek_v3: Hub) -> None:
    # 671,026,419,200 + 11,610,068,224 + 2 × 926,679,040 + 41,540,496 = 684,531,386,000, which the Hub shows
    residual = residual_of(V3)
    assert residual.revision == SHA
    assert residual.predicted == 682_636_487_424
    assert residual.found_parameters == 684_489_845_504
    assert residual.found_scales == 41_540_496
    assert residual.found_elements == residual.hub_total == 684_531_386_000
    assert rows_of(residual) == {
        "the model itself": (671_026_419_200, 671_026_419_200, "as the config says"),
        "MTP layer": (11_610_068_224, 11_610_068_224, "MTP layer"),
        "model.layers.61.embed_tokens.weight": (0, 926_679_040, "tied matrix stored again"),
        "model.layers.61.shared_head.head.weight": (0, 926_679_040, "tied matrix stored again"),
        "*.weight_scale_inv": (41_540_496, 41_540_496, "scales"),
        "Hub total": (684_489_845_504, 684_531_386_000, "counted otherwise"),
    }
    assert residual.unexplained == 0
    assert residual.nbytes == 688_574_839_360  # the payload of its files


def test_the_check_of_deepseek_v3_reads_at_a_glance(
    deepseek_v3: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", V3]) == 0
    out = capsys.readouterr().out
    assert "deepseek-ai/DeepSeek-V3 @ 0123456789ab" in out
    assert "Every difference between the config and the files is explained." in out
    for number in ("671,026,419,200", "11,610,068,224", "+926,679,040", "41,540,496", "684,531,386,000"):
        assert number in out
    assert "684,489,845,504 + 41,540,496 (weight_scale_inv counted) = 684,531,386,000" in out


def test_gpt_oss_is_its_root_copy_and_the_others_are_named(hub: Hub) -> None:
    tensors = layouts.with_scales(pw.count(GPT_OSS))
    root = sharded(shards(tensors, 14))
    copies = {
        f"original/model--0000{i}-of-00007.safetensors": safetensors([(f"block.{i}.w", "U8", (1000,))])
        for i in range(1, 8)
    }
    metal = {"metal/model.bin": b"\0" * 100}
    hub.add(
        GPT_OSS,
        {"config.json": json.dumps(bundled(GPT_OSS)), **root, **copies, **metal},
        total={"U8": 120_412_337_472},
    )
    residual = residual_of(GPT_OSS)
    assert residual.predicted == residual.found_parameters == 116_829_156_672
    # the Hub's total until July 2026: the block scales counted as parameters
    assert residual.found_scales == 3_583_180_800
    row = next(row for row in residual.rows if row.name == "Hub total")
    assert row.note == "116,829,156,672 + 3,583,180,800 (scales counted) = 120,412,337,472"
    assert residual.nbytes == 65_248_815_744
    copies_of = {row.name: row.cause for row in residual.rows if row.of == "elsewhere"}
    assert set(copies_of.values()) == {"second copy of the weights"}
    assert any(name.startswith("original") for name in copies_of)
    assert residual.unexplained == 0


def test_a_stored_head_that_is_tied_is_one_row(hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = layouts.plain(pw.count("Qwen/Qwen3-0.6B"), tied=True)
    hub.add(
        "Qwen/Qwen3-0.6B",
        {"config.json": json.dumps(bundled("Qwen/Qwen3-0.6B")), "model.safetensors": safetensors(tensors)},
        total={"BF16": 751_632_384},
    )
    assert main(["check", "Qwen/Qwen3-0.6B", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == [
        {
            "name": "all tensors",
            "predicted": 596_049_920,
            "found": 596_049_920,
            "cause": "as the config says",
            "of": "parameters",
        },
        {
            "name": "lm_head.weight",
            "predicted": 0,
            "found": 155_582_464,
            "cause": "tied matrix stored again",
            "of": "parameters",
            "note": "the same matrix as model.embed_tokens.weight",
        },
        {
            "name": "Hub total",
            "predicted": 751_632_384,
            "found": 751_632_384,
            "cause": "as the config says",
            "of": "totals",
            "note": "as the headers say",
        },
    ]
    assert (found["repo"], found["revision"], found["unexplained"]) == ("Qwen/Qwen3-0.6B", SHA, 0)


def test_what_is_not_explained_is_exit_1(hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [t for t in layouts.plain(pw.count("Qwen/Qwen3-0.6B")) if "layers.27." not in t[0]]
    hub.add(
        "some/cut",
        {"config.json": json.dumps(bundled("Qwen/Qwen3-0.6B")), "model.safetensors": safetensors(tensors)},
    )
    assert main(["check", "some/cut"]) == 1
    out = capsys.readouterr().out
    assert "15,730,944 are not explained." in out  # one layer of Qwen3-0.6B
    assert "not there in layer 27" in out


def test_files_without_headers_leave_the_total_to_a_hypothesis(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.add(
        "some/old",
        {"config.json": json.dumps(bundled("openai-community/gpt2")), "pytorch_model.bin": b"\x80\x02" * 100},
        total={"F32": 137_022_720},
    )
    assert main(["check", "some/old"]) == 0
    out = capsys.readouterr().out
    assert "hypothesis: with causal masks" in out
    assert "124,439,808 + 12,582,912 (with causal masks) = 137,022,720" in out


def test_a_type_that_nothing_describes_is_counted_from_its_headers(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    tensors: list[Tensor] = [
        ("model.embed_tokens.weight", "BF16", (100, 8)),
        ("model.layers.0.self_attn.q_proj.weight", "BF16", (8, 8)),
        ("model.layers.0.mlp.gate.weight", "BF16", (4, 8)),
        *((f"model.layers.0.mlp.experts.{e}.up_proj.weight", "BF16", (16, 8)) for e in range(4)),
        ("lm_head.weight", "BF16", (100, 8)),
    ]
    config = {"model_type": "nobody_knows", "num_experts": 4, "num_experts_per_tok": 2}
    hub.add("some/new", {"config.json": json.dumps(config), "model.safetensors": safetensors(tensors)})
    b = pw.count("some/new", check=True)
    assert b.stored == 800 + 64 + 32 + 4 * 128 + 800
    assert b.active == 800 + 64 + 32 + 2 * 128 + 800
    assert "Not described here: counted from the names and shapes in the files' headers" in b.provenance.note
    assert b.residual is not None
    assert b.residual.unexplained == 0


class Told:
    """A view that keeps what is sent to the browser and what stands in it."""

    def __init__(self, view: pw.ParamView) -> None:
        self.breakdown, self.token, self.show = view.breakdown, view.token, view.show
        self.messages: list[dict[str, object]] = []

    def send(self, content: dict[str, object]) -> None:
        self.messages.append(content)


def test_the_check_of_deepseek_v3_is_pressed_and_every_term_stands_in_the_widget(deepseek_v3: Hub) -> None:
    view = pw.ParamView(V3)
    assert deepseek_v3.asked == []  # the bundled one renders at once
    assert "check" not in view.data
    told = Told(view)

    async def press() -> None:
        answer(told, {"do": "check"})
        await asyncio.gather(*_RUNNING)

    asyncio.run(press())
    rows = view.data["check"]["rows"]
    terms = {row["name"]: row["found"] for row in rows if row["of"] in ("parameters", "scales")}
    assert terms == {
        "the model itself": 671_026_419_200,
        "MTP layer": 11_610_068_224,
        "model.layers.61.embed_tokens.weight": 926_679_040,
        "model.layers.61.shared_head.head.weight": 926_679_040,
        "*.weight_scale_inv": 41_540_496,
    }
    assert sum(terms.values()) == view.data["check"]["hub_total"] == 684_531_386_000
    assert view.data["check"]["revision"] == SHA
    assert view.data["check"]["unexplained"] == 0
    assert told.messages[0]["kind"] == "progress"
    assert {"kind": "progress", "do": "check", "done": 163, "total": 163, "text": "headers"} in told.messages
    assert not any(m["kind"] == "error" for m in told.messages)
    assert view.breakdown.total("active", off={"embedding"}) == view.breakdown.active - 926_679_040


def test_a_revision_without_a_config_is_named_as_it_was_asked_for(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.add("some/bare", {"model.safetensors": safetensors([("a", "F32", (2,))])}, names=("main", "v1"))
    for options, said in (((), "some/bare has no config"), (("--revision", "v1"), "at revision 'v1' has no")):
        assert main(["check", "some/bare", *options]) == 3
        err = capsys.readouterr().err
        assert said in err
        assert err.rstrip().endswith("Nothing was read from another revision. Incomplete.")


def test_a_pipeline_and_an_adapter_have_no_config_and_are_counted_from_their_headers(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = {"_class_name": "X", "unet": ["diffusers", "UNet"], "vae": ["diffusers", "VAE"]}
    hub.add(
        "some/pipeline",
        {
            "model_index.json": json.dumps(parts),
            "unet/diffusion_pytorch_model.safetensors": safetensors([("a.weight", "F16", (30, 20))]),
            "vae/diffusion_pytorch_model.safetensors": safetensors([("a.weight", "F16", (3, 2))]),
        },
        total={"F16": 606},
    )
    lora = [("base_model.model.layers.0.self_attn.q_proj.lora_A.weight", "F32", (8, 100))]
    hub.add("some/lora", {"adapter_config.json": "{}", "adapter_model.safetensors": safetensors(lora)})
    assert (pw.count("some/pipeline", check=True).stored, pw.count("some/lora", check=True).stored) == (
        606,
        800,
    )
    assert main(["check", "some/pipeline"]) == 0
    out = capsys.readouterr().out
    assert "Counted from the tensors as they are" in out
    assert "as the config says" not in out


def test_a_config_that_is_stored_on_another_host_is_fetched_there_without_the_token(hub: Hub) -> None:
    config = {**bundled("Qwen/Qwen3-0.6B"), "about": "x" * 2000}
    text = json.dumps(config).encode()
    tensors = layouts.plain(pw.count("Qwen/Qwen3-0.6B"))
    # longer than what the Hub has of it itself, so it is in the large file storage
    files = {"config.json": File(text, len(text) + 1), "model.safetensors": safetensors(tensors)}
    hub.add("some/far", files)
    with pytest.raises(
        pw.ParamWidgetError
    ):  # a zero byte at its end is no JSON; what matters is who was asked
        pw.count("some/far", check=True, token="hf_" + "x" * 30)
    far = [a for a in hub.asked_about("some/far", "cdn") if a.bare.endswith("config.json")]
    assert far
    assert not any(a.authorized for a in far)
