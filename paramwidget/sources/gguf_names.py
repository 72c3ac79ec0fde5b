"""What the tensors of a GGUF file are: llama.cpp has one set of names for all architectures.

A name gives the layer, the part of the model, and the names that Hugging Face's files have for it: several where
families differ or where one of the two sides holds as one tensor what the other splits.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_L = "model.layers.{layer}."
_ATTN, _MLP, _SSM = f"{_L}self_attn.", f"{_L}mlp.", f"{_L}linear_attn."
_MIXER = "backbone.layers.{layer}.mixer."
_H = "transformer.h.{layer}."
_EXAONE = f"{_H}attn.attention."


class GgufName(NamedTuple):
    """One tensor's place.

    layer  None where it is in none
    role   None where the name is not one of llama.cpp's
    hf     the templates of Hugging Face names that it holds, or is a part of
    """

    layer: int | None
    role: str | None
    kind: str = "weight"
    hf: tuple[str, ...] = ()


class _Row(NamedTuple):
    role: str
    hf: tuple[str, ...] = ()
    kind: str = "weight"


def _experts(own: str, stacked: str, mixtral: str, granite: str) -> tuple[str, ...]:
    """The names that the experts of a layer have: each its own, all in one tensor, Mixtral's, Granite's."""
    each = f"{_L}mlp.experts.{{expert}}.{own}"
    return (
        each,
        f"{_MLP}experts.{stacked}",
        f"{_L}block_sparse_moe.experts.{{expert}}.{mixtral}",
        f"{_L}experts.{stacked}",
        f"{_L}block_sparse_moe.{granite}",
    )


#: outside of the layers, without ``.weight`` and ``.bias``
MODEL: dict[str, _Row] = {
    "token_embd": _Row(
        "embedding", ("model.embed_tokens", "model.tok_embeddings", "transformer.wte", "backbone.embeddings")
    ),
    "token_embd_norm": _Row("norm", ("transformer.word_embeddings_layernorm",)),
    "token_types": _Row("other", ("bert.embeddings.token_type_embeddings",)),
    "position_embd": _Row("position", ("transformer.wpe", "bert.embeddings.position_embeddings")),
    "output_norm": _Row(
        "norm",
        (
            "model.norm",
            "model.final_layernorm",
            "transformer.ln_f",
            "backbone.norm_f",
            "model.embedding_norm",
        ),
    ),
    "output": _Row("lm_head", ("lm_head", "embed_out", "output")),
    "cls": _Row("lm_head", ("classifier.dense",)),
    "cls.output": _Row("lm_head", ("classifier.out_proj", "score")),
    "per_layer_token_embd": _Row("per_layer_embedding", ("model.embed_tokens_per_layer",)),
    "per_layer_model_proj": _Row("other", ("model.per_layer_model_projection",)),
    "per_layer_proj_norm": _Row("norm", ("model.per_layer_projection_norm",)),
    "altup_proj": _Row("other", ("model.altup_projections.{n}",)),
    "altup_unembd_proj": _Row("other", ("model.altup_unembed_projections.{n}",)),
}
#: tensors that llama.cpp makes when it converts; no checkpoint of Hugging Face has them
MADE = {
    "rope_freqs": "the factors of the rotary embedding, which transformers computes from the config",
    "rope_factors_long": "the factors of the rotary embedding, which Hugging Face's files have in the config",
    "rope_factors_short": "the factors of the rotary embedding, which Hugging Face's files have in the config",
    "attn_rot_embd": "the frequencies of the rotary embedding, which transformers computes from the config",
}

#: within a layer, without ``.weight`` and ``.bias``
LAYER: dict[str, _Row] = {
    "attn_norm": _Row(
        "norm", (f"{_L}input_layernorm", "backbone.layers.{layer}.norm", f"{_L}attention_norm", f"{_H}ln_1")
    ),
    "attn_norm_2": _Row("norm", (f"{_L}ln_attn",)),
    "post_attention_norm": _Row("norm", (f"{_L}post_attention_layernorm", f"{_L}post_self_attn_layernorm")),
    "layer_output_norm": _Row("norm", (f"{_L}output.LayerNorm",)),
    "ffn_norm": _Row(
        "norm",
        (f"{_L}pre_feedforward_layernorm", f"{_L}post_attention_layernorm", f"{_L}ffn_norm", f"{_H}ln_2"),
    ),
    "post_ffw_norm": _Row("norm", (f"{_L}post_feedforward_layernorm", f"{_L}post_mlp_layernorm")),
    "post_ffw_norm_1": _Row("norm", (f"{_L}post_feedforward_layernorm_1",)),
    "post_ffw_norm_2": _Row("norm", (f"{_L}post_feedforward_layernorm_2",)),
    "pre_ffw_norm_2": _Row("norm", (f"{_L}pre_feedforward_layernorm_2",)),
    "post_norm": _Row("norm", (f"{_L}post_per_layer_input_norm",)),
    "attn_q": _Row("attention", (f"{_ATTN}q_proj", f"{_EXAONE}q_proj", f"{_L}attention.wqkv")),
    "attn_k": _Row("attention", (f"{_ATTN}k_proj", f"{_EXAONE}k_proj", f"{_L}attention.wqkv")),
    "attn_v": _Row("attention", (f"{_ATTN}v_proj", f"{_EXAONE}v_proj", f"{_L}attention.wqkv")),
    "attn_qkv": _Row("attention", (f"{_ATTN}qkv_proj", f"{_SSM}in_proj_qkv", f"{_SSM}in_proj_qkvz")),
    "attn_gate": _Row("attention", (f"{_SSM}in_proj_z", f"{_ATTN}gate_proj")),
    "attn_output": _Row(
        "attention",
        (f"{_ATTN}o_proj", f"{_ATTN}dense", f"{_ATTN}out_proj", f"{_EXAONE}out_proj", f"{_L}attention.wo"),
    ),
    "attn_q_norm": _Row("attention", (f"{_ATTN}q_norm", f"{_ATTN}query_layernorm")),
    "attn_k_norm": _Row("attention", (f"{_ATTN}k_norm", f"{_ATTN}key_layernorm")),
    "attn_output_norm": _Row("norm", (f"{_L}attention.output.LayerNorm",)),
    "attn_sub_norm": _Row("attention", (f"{_ATTN}attn_sub_norm",)),
    "attn_q_a": _Row("attention", (f"{_ATTN}q_a_proj",)),
    "attn_q_b": _Row("attention", (f"{_ATTN}q_b_proj",)),
    "attn_q_a_norm": _Row("attention", (f"{_ATTN}q_a_layernorm",)),
    "attn_kv_a_mqa": _Row("attention", (f"{_ATTN}kv_a_proj_with_mqa",)),
    "attn_kv_a_norm": _Row("attention", (f"{_ATTN}kv_a_layernorm",)),
    "attn_kv_b": _Row("attention", (f"{_ATTN}kv_b_proj",)),
    "attn_k_b": _Row("attention", (f"{_ATTN}kv_b_proj",)),  # with attn_v_b: its two halves
    "attn_v_b": _Row("attention", (f"{_ATTN}kv_b_proj",)),
    "indexer.k_norm": _Row("attention", (f"{_ATTN}indexer.k_norm",)),
    "indexer.proj": _Row("attention", (f"{_ATTN}indexer.weights_proj",)),
    "indexer.attn_k": _Row("attention", (f"{_ATTN}indexer.wk",)),
    "indexer.attn_q_b": _Row("attention", (f"{_ATTN}indexer.wq_b",)),
    "ffn_gate": _Row("mlp", (f"{_MLP}gate_proj", f"{_L}feed_forward.w1", f"{_H}mlp.c_fc_0")),
    "ffn_up": _Row(
        "mlp",
        (
            f"{_MLP}up_proj",
            f"{_MLP}gate_up_proj",
            f"{_MLP}fc1",
            f"{_MLP}c_fc",
            f"{_L}feed_forward.w3",
            f"{_H}mlp.c_fc_1",
        ),
    ),
    "ffn_down": _Row(
        "mlp", (f"{_MLP}down_proj", f"{_MLP}fc2", f"{_MLP}c_proj", f"{_L}feed_forward.w2", f"{_H}mlp.c_proj")
    ),
    "ffn_sub_norm": _Row("mlp", (f"{_MLP}ffn_sub_norm",)),
    "ffn_gate_inp": _Row(
        "router",
        (
            f"{_MLP}gate",
            f"{_MLP}router",
            f"{_L}block_sparse_moe.gate",
            f"{_L}router.proj",
            f"{_L}block_sparse_moe.router.layer",
        ),
    ),
    "ffn_gate_exps": _Row("routed_expert", _experts("gate_proj", "gate_up_proj", "w1", "input_linear")),
    "ffn_up_exps": _Row("routed_expert", _experts("up_proj", "gate_up_proj", "w3", "input_linear")),
    "ffn_down_exps": _Row("routed_expert", _experts("down_proj", "down_proj", "w2", "output_linear")),
    "ffn_gate_up_exps": _Row("routed_expert", (f"{_MLP}experts.gate_up_proj", f"{_L}experts.gate_up_proj")),
    "ffn_norm_exps": _Row("norm"),
    "ffn_gate_inp_shexp": _Row("shared_expert", (f"{_MLP}shared_expert_gate",)),
    "ffn_gate_shexp": _Row(
        "shared_expert", (f"{_MLP}shared_expert.gate_proj", f"{_MLP}shared_experts.gate_proj")
    ),
    "ffn_up_shexp": _Row("shared_expert", (f"{_MLP}shared_expert.up_proj", f"{_MLP}shared_experts.up_proj")),
    "ffn_down_shexp": _Row(
        "shared_expert", (f"{_MLP}shared_expert.down_proj", f"{_MLP}shared_experts.down_proj")
    ),
    "inp_gate": _Row("other", (f"{_L}per_layer_input_gate",)),
    "proj": _Row("other", (f"{_L}per_layer_projection",)),
    "ssm_in": _Row("ssm", (f"{_MIXER}in_proj", f"{_SSM}in_proj_qkvz")),
    "ssm_conv1d": _Row("ssm", (f"{_MIXER}conv1d", f"{_SSM}conv1d")),
    "ssm_x": _Row("ssm", (f"{_MIXER}x_proj",)),
    "ssm_dt": _Row("ssm", (f"{_MIXER}dt_proj",)),
    "ssm_norm": _Row("ssm", (f"{_MIXER}norm", f"{_SSM}norm")),
    "ssm_out": _Row("ssm", (f"{_MIXER}out_proj", f"{_SSM}out_proj")),
    "ssm_alpha": _Row("linear_attention", (f"{_SSM}in_proj_a",)),
    "ssm_beta": _Row("linear_attention", (f"{_SSM}in_proj_b",)),
    "ssm_ba": _Row("linear_attention", (f"{_SSM}in_proj_ba",)),
    "shortconv.conv": _Row("linear_attention", (f"{_L}conv.conv",)),
    "shortconv.in_proj": _Row("linear_attention", (f"{_L}conv.in_proj",)),
    "shortconv.out_proj": _Row("linear_attention", (f"{_L}conv.out_proj",)),
    "nextn.eh_proj": _Row("mtp", (f"{_L}eh_proj", "mtp.fc")),
    "nextn.enorm": _Row("mtp", (f"{_L}enorm", "mtp.pre_fc_norm_embedding")),
    "nextn.hnorm": _Row("mtp", (f"{_L}hnorm", "mtp.pre_fc_norm_hidden")),
    "nextn.embed_tokens": _Row("mtp", (f"{_L}embed_tokens",)),
    "nextn.shared_head_head": _Row("mtp", (f"{_L}shared_head.head",)),
    "nextn.shared_head_norm": _Row("mtp", (f"{_L}shared_head.norm", "mtp.norm")),
}
#: within a layer, where the other side has no ``.weight`` or ``.bias``, or has the other of the two
WHOLE: dict[str, _Row] = {
    "attn_sinks.weight": _Row("attention", (f"{_ATTN}sinks",)),
    "exp_probs_b.bias": _Row(
        "router",
        (
            f"{_MLP}gate.e_score_correction_bias",
            f"{_MLP}e_score_correction_bias",
            f"{_L}block_sparse_moe.e_score_correction_bias",
        ),
        "buffer",
    ),
    "layer_output_scale.weight": _Row("other", (f"{_L}layer_scalar",), "buffer"),
    "ssm_a": _Row("ssm", (f"{_MIXER}A_log", f"{_SSM}A_log")),
    "ssm_d": _Row("ssm", (f"{_MIXER}D",)),
    "ssm_dt.bias": _Row("ssm", (f"{_MIXER}dt_proj.bias", f"{_MIXER}dt_bias", f"{_SSM}dt_bias")),
}
#: families of names that share a beginning
_STEMS = (
    (re.compile(r"time_mix_|channel_mix_"), "linear_attention"),  # RWKV
    (re.compile(r"ssm_"), "ssm"),
    (re.compile(r"vis_"), "vision"),
    (re.compile(r"altup_|laurel_"), "other"),
    (re.compile(r"attn_|cross_attn_|indexer"), "attention"),
    (re.compile(r"ffn_\w*_(?:ch)?exps"), "routed_expert"),
    (re.compile(r"ffn_"), "mlp"),
)
_BLOCK = re.compile(r"(dec\.)?blk\.(\d+)\.(.+)")
_TOWER_BLOCK = re.compile(r"\.blk\.(\d+)\.")
_KINDS = {"weight": "weight", "bias": "bias", "scale": "scale", "input_scale": "scale"}
#: towers that stand before a language model, in files of their own (mmproj), and the encoder of T5
_TOWERS = {"v": "vision", "a": "audio", "mm": "projector", "resampler": "projector", "enc": "encoder"}


def describe(name: str) -> GgufName:
    """Where a tensor belongs.

    >>> describe("blk.3.attn_q_b.weight")
    GgufName(layer=3, role='attention', kind='weight', hf=('model.layers.{layer}.self_attn.q_b_proj.weight',))
    """
    if name.endswith((".lora_a", ".lora_b")):  # an adapter's, beside the model
        block = _BLOCK.match(name)
        return GgufName(int(block[2]) if block else None, "other")
    stem, dot, suffix = name.rpartition(".")
    if suffix not in _KINDS:
        stem, dot, suffix = name, "", ""
    kind = _KINDS.get(suffix, "weight")
    found = _BLOCK.fullmatch(stem)
    layer, own = (int(found[2]), found[3]) if found else (None, stem)
    if own in MADE:
        return GgufName(layer, "position" if layer is None else "attention", "buffer")
    outer = name.partition(".")[0]
    if outer in _TOWERS:
        block = _TOWER_BLOCK.search(name)
        return GgufName(int(block[1]) if block else None, _TOWERS[outer], kind)
    whole = WHOLE.get(own + dot + suffix) if found else None
    if whole:
        return GgufName(layer, whole.role, whole.kind, whole.hf)
    row = (LAYER if found else MODEL).get(own)
    if row:
        return GgufName(layer, row.role, kind, tuple(_spelled(hf, suffix) for hf in row.hf))
    role = next((r for pattern, r in _STEMS if found and pattern.match(own)), None)
    return GgufName(layer, role or ("norm" if "norm" in own else None), kind)


def _spelled(hf: str, suffix: str) -> str:
    """A name with its ending; experts that transformers stacks are a parameter themselves: ``down_proj_bias``."""
    if re.search(r"\.experts\.\w+$", hf):
        return hf if suffix == "weight" else f"{hf}_{suffix}"
    return f"{hf}.{suffix}" if suffix else hf
