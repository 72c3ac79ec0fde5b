"""GGUF files as llama.cpp's converters would write them from a config: names, hyper-parameters and shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gguf_writer import Tensor

import paramwidget as pw
from paramwidget.config_names import ALIASES
from paramwidget.sources.gguf_names import LAYER, MODEL, WHOLE

#: what a converter calls the fields of a config; Source: convert_hf_to_gguf.py and the key names of gguf-py
KEYS = {
    "num_hidden_layers": "block_count",
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "head_dim": "attention.key_length",
    "max_position_embeddings": "context_length",
    "sliding_window": "attention.sliding_window",
    "num_experts": "expert_count",
    "n_routed_experts": "expert_count",
    "num_experts_per_tok": "expert_used_count",
    "n_shared_experts": "expert_shared_count",
    "moe_intermediate_size": "expert_feed_forward_length",
    "shared_expert_intermediate_size": "expert_shared_feed_forward_length",
    "first_k_dense_replace": "leading_dense_block_count",
    "q_lora_rank": "attention.q_lora_rank",
    "kv_lora_rank": "attention.kv_lora_rank",
    "qk_rope_head_dim": "rope.dimension_count",
    "v_head_dim": "attention.value_length",
    "linear_conv_kernel_dim": "ssm.conv_kernel",
    "linear_key_head_dim": "ssm.state_size",
    "linear_num_key_heads": "ssm.group_count",
    "linear_num_value_heads": "ssm.time_step_rank",
    "mamba_d_conv": "ssm.conv_kernel",
    "mamba_d_state": "ssm.state_size",
    "mamba_dt_rank": "ssm.time_step_rank",
    "mamba_n_groups": "ssm.group_count",
}


def names_of() -> dict[str, list[str]]:
    """Hugging Face template -> the GGUF names that it can have, with ``{layer}``."""
    found: dict[str, list[str]] = {}
    for rows, prefix in ((LAYER, "blk.{layer}."), (MODEL, "")):
        for own, row in rows.items():
            for hf in row.hf:
                stacked = re.search(r"\.experts\.\w+$", hf)
                for suffix in ("weight", "bias"):
                    ending = ("" if suffix == "weight" else "_bias") if stacked else f".{suffix}"
                    found.setdefault(hf + ending, []).append(f"{prefix}{own}.{suffix}")
    for own, row in WHOLE.items():
        for hf in row.hf:
            found[hf] = [f"blk.{{layer}}.{own}"]
    return found


NAMES = names_of()


def tensors(b: pw.Breakdown) -> Iterator[Tensor]:
    """The tensors of a file that was converted from a model, the experts of a layer as one."""
    taken: dict[str, str] = {}
    for t in b.tensors:
        if t.tied_to or t.kind == "scale":
            continue
        name = next(n for n in NAMES[t.name] if taken.get(n, t.name) == t.name)
        taken[name] = t.name
        shape: tuple[int, ...] = tuple(map(int, t.shape))
        layers = list(t.layers) or [None]
        if t.stacked or "{expert}" in t.name:
            shape = (int(t.copies) // len(layers), *shape)
        if "conv1d" in name and len(shape) == 3:
            shape = (shape[0], shape[2])  # the axis of 1 is squeezed
        for layer in layers:
            yield Tensor(name.replace("{layer}", str(layer)), tuple(reversed(shape)))


def metadata(b: pw.Breakdown, arch: str) -> dict[str, Any]:
    """The hyper-parameters that a converter writes, from the config and what its class takes for the rest."""
    config: Mapping[str, Any] = {**b.defaulted, **b.config}

    def field(key: str) -> Any:
        return next((config[k] for k in (key, *ALIASES.get(key, ())) if config.get(k) is not None), None)

    found = {f"{arch}.{gguf}": field(key) for key, gguf in KEYS.items() if field(key) is not None}
    if arch == "gpt-oss":
        found[f"{arch}.expert_feed_forward_length"] = field("intermediate_size")
    if field("qk_nope_head_dim"):
        found[f"{arch}.attention.key_length"] = field("qk_nope_head_dim") + field("qk_rope_head_dim")
    if field("linear_value_head_dim"):
        found[f"{arch}.ssm.inner_size"] = field("linear_value_head_dim") * field("linear_num_value_heads")
    if arch == "mamba":
        width = field("intermediate_size") or field("mamba_expand") * field("hidden_size")
        found[f"{arch}.ssm.inner_size"] = width
    if arch == "mamba2":
        found[f"{arch}.ssm.inner_size"] = field("mamba_expand") * field("hidden_size")
        found[f"{arch}.ssm.time_step_rank"] = config.get("num_heads")
    return {"general.architecture": arch, **{k: int(v) for k, v in found.items() if type(v) is int}}
