"""Published GGUF files whose map is that of a sibling in other sizes: tensors, elements, bytes, from the config.

Source of the four integers of each: the table of GGUF-Tool-Suite (models/*/group0/tensors.bf16.map, as those of
``reference/gguf_maps.jsonl``). Files of this converter keep vectors, routers and convolutions in F32, split the
gates of the experts from their up projections, and hold latent keys and values in halves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import gguf_model
import pytest
from configs import bundled
from gguf_writer import Tensor, write

import paramwidget as pw

REFERENCE = Path(__file__).parent / "reference"
IN_F32 = ("ssm_conv1d.weight", "ffn_gate_inp.weight", "ffn_gate_inp_shexp.weight", "ssm_a")


def published(repo: str) -> dict[str, Any]:
    rows = map(json.loads, (REFERENCE / "models.jsonl").read_text().splitlines())
    return dict(next(row["config"] for row in rows if row["repo"] == repo))


def of_the_text(config: dict[str, Any], **sizes: Any) -> dict[str, Any]:
    """The language model alone: towers and prediction layers are files of their own."""
    text = {**config, **config["text_config"]} if "text_config" in config else config
    text = {
        k: v
        for k, v in text.items()
        if k not in ("text_config", "vision_config", "architectures", "layer_types")
    }
    return {**text, "mtp_num_hidden_layers": 0, "num_nextn_predict_layers": 0, **sizes}


SMALL = bundled("Qwen/Qwen3.5-0.8B")
QWEN3_4B = {
    **bundled("Qwen/Qwen3-8B"),
    "hidden_size": 2560,
    "intermediate_size": 9728,
    "tie_word_embeddings": True,
}
#: model: architecture, config, tensors, elements, bytes, tensors in F32
FILES: dict[str, tuple[str, dict[str, Any], int, int, int, int]] = {
    "Qwen3-4B-Thinking-2507": ("qwen3", QWEN3_4B, 398, 4_022_468_096, 8_045_328_384, 145),
    "Qwen3-VL-235B-A22B-Instruct": (
        "qwen3vlmoe",
        of_the_text(published("Qwen/Qwen3-VL-235B-A22B-Thinking"), model_type="qwen3_moe"),
        *(1131, 235_093_634_560, 470_287_431_680, 471),
    ),
    "Qwen3.5-0.8B": ("qwen35", of_the_text(SMALL), 320, 752_393_024, 1_505_783_040, 133),
    "Qwen3.5-2B": (
        "qwen35",
        of_the_text(SMALL, hidden_size=2048, intermediate_size=6144),
        *(320, 1_881_825_088, 3_764_747_520, 133),
    ),
    "Qwen3.5-9B": (
        "qwen35",
        of_the_text(
            SMALL,
            hidden_size=4096,
            intermediate_size=12288,
            num_hidden_layers=32,
            num_attention_heads=16,
            num_key_value_heads=4,
            linear_num_value_heads=32,
            tie_word_embeddings=False,
        ),
        *(427, 8_953_803_264, 17_909_729_280, 177),
    ),
    "Qwen3.5-35B-A3B, Qwen3.6-35B-A3B": (
        "qwen35moe",
        of_the_text(bundled("Qwen/Qwen3.6-35B-A3B")),
        *(733, 34_660_610_688, 69_365_647_872, 301),
    ),
    "GLM-4.7-Flash": (
        "deepseek2",
        of_the_text(published("zai-org/GLM-4.7-Flash")),
        *(844, 29_943_393_920, 59_899_361_792, 281),
    ),
}


def split(t: Tensor, config: dict[str, Any]) -> Iterator[Tensor]:
    if "ffn_gate_exps" in t.name and t.shape[1] == 2 * config["moe_intermediate_size"]:
        width, out, experts = t.shape
        for half in ("gate", "up"):
            yield t._replace(name=t.name.replace("gate", half), shape=(width, out // 2, experts))
    elif "attn_kv_b" in t.name:
        latent, heads = t.shape[0], config["num_attention_heads"]
        key, value = config["qk_nope_head_dim"], config["v_head_dim"]
        yield t._replace(name=t.name.replace("kv_b", "k_b"), shape=(key, latent, heads))
        yield t._replace(name=t.name.replace("kv_b", "v_b"), shape=(latent, value, heads))
    else:
        yield t


def in_f32(t: Tensor) -> bool:
    return len(t.shape) == 1 or t.name.endswith(IN_F32)


@pytest.mark.parametrize("model", FILES)
def test_a_config_gives_the_tensors_elements_and_bytes_of_the_published_file(
    model: str, tmp_path: Path
) -> None:
    arch, config, count, elements, nbytes, f32 = FILES[model]
    b = pw.count(config)
    assert b.stored == elements
    tensors = [
        t._replace(dtype="F32" if in_f32(t) else "BF16")
        for whole in gguf_model.tensors(b)
        for t in split(whole, config)
    ]
    assert (len(tensors), sum(prod(t.shape) for t in tensors), sum(map(in_f32, tensors))) == (
        count,
        elements,
        f32,
    )
    meta = gguf_model.metadata(b, arch)
    if arch == "deepseek2":  # as llama.cpp writes them where keys and values are latent
        latent, rope = config["kv_lora_rank"], config["qk_rope_head_dim"]
        meta |= {
            f"{arch}.attention.head_count_kv": 1,
            f"{arch}.attention.key_length": latent + rope,
            f"{arch}.attention.value_length": latent,
            f"{arch}.attention.key_length_mla": config["qk_nope_head_dim"] + rope,
            f"{arch}.attention.value_length_mla": config["v_head_dim"],
        }
    found = pw.count(write(tmp_path / "m.gguf", meta, tensors))
    assert "as they are" not in found.provenance.note
    assert (found.stored, found.active) == (elements, b.active)
    assert sum(found.stored_bytes.values()) == nbytes
