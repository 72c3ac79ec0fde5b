"""Count with transformers which parameters one decoded token uses: run by `make conformance`.

A small config of each type in SMALL (the default of its class with its sizes shrunk and its switches kept) is built
with random weights. It reads a few tokens; what every layer reads of all positions but the last is detached, and the
scores behind the last position go backward. So a map of keys counts whatever the position, and an expert only where
the last token chose it. Where a class can go backward through its cache, the last token alone is decoded too and must
have chosen the same experts. An encoder runs without gradients: its output is a context.

A parameter is used if it received a gradient, or if the scores change when it changes: what only takes part in a
selection (a bias of the router, an indexer of keys) steers and has no gradient.

Each row of active.jsonl: the config, the parameters that received a gradient, those of experts among them
(routed), those that steer, by name, how many slices of experts were used of how many, and what the token does not use.
"""

import json
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers

HERE = Path(__file__).parent
TOKENS = 7
LAYERS = 4

#: what a size becomes wherever the config has one
SIZES: dict[str, int] = {
    "vocab_size": 96,
    "vocab_size_per_layer_input": 80,
    "decoder_vocab_size": 96,
    "hidden_size": 48,
    "d_model": 48,
    "embedding_dim": 48,
    "hidden_size_per_layer_input": 10,
    "intermediate_size": 40,
    "ffn_hidden_size": 40,
    "encoder_ffn_dim": 40,
    "decoder_ffn_dim": 44,
    "d_ff": 40,
    "intermediate_size_mlp": 44,
    "dense_intermediate_size": 44,
    "moe_intermediate_size": 24,
    "expert_ffn_hidden_size": 24,
    "shared_expert_intermediate_size": 28,
    "shared_intermediate_size": 28,
    "share_expert_dim": 28,
    "moe_shared_expert_intermediate_size": 28,
    "num_attention_heads": 4,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "num_heads": 4,
    "head_dim": 16,
    "d_kv": 16,
    "q_lora_rank": 20,
    "kv_lora_rank": 24,
    "qk_head_dim": 20,
    "qk_nope_head_dim": 12,
    "qk_rope_head_dim": 8,
    "v_head_dim": 10,
    "index_head_dim": 16,
    "index_n_heads": 2,
    "index_topk": 2,
    "linear_head_dim": 8,
    "linear_num_heads": 4,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 12,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "mamba_d_state": 8,
    "mamba_n_heads": 8,
    "mamba_d_head": 12,
    "o_lora_rank": 12,
    "o_groups": 2,
    "mamba_dt_rank": 6,
    "state_size": 8,
    "time_step_rank": 6,
    "n_routed_experts": 8,
    "num_experts": 8,
    "num_local_experts": 8,
    "moe_num_experts": 8,
    "zero_expert_num": 4,
    "n_group": 2,
    "num_expert_group": 2,
    "topk_group": 1,
    "sliding_window": 4,
    "attention_window_size": 4,
    "router_hidden_size": 12,
    "laurel_rank": 6,
    "lru_width": 48,
    "decoder_start_token_id": 1,
    "depth": 2,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "num_decoder_layers": 3,
    "out_hidden_size": 48,
    "projection_hidden_size": 48,
    "merged_hidden_size": 192,
    "projector_hidden_size": 48,
}
TOP_K = ("num_experts_per_tok", "num_experts_per_token", "moe_k", "moe_topk", "top_k_experts")
DEPTH = ("num_hidden_layers", "num_layers", "num_blocks")
COUNTS = ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts")


def shrink(config: dict[str, Any]) -> dict[str, Any]:
    """A config with small sizes, and of its layers the first of each kind."""
    small = dict(config)
    heads, kv = config.get("num_attention_heads"), config.get("num_key_value_heads")
    for key, value in config.items():
        if isinstance(value, dict) and key.endswith("_config"):
            small[key] = shrink(value)
        elif value and key in SIZES and type(value) in (int, float):
            small[key] = min(SIZES[key], value)
        elif value and key in TOP_K:
            small[key] = min(3, value)
    if "vocab_size" in config:
        small["pad_token_id"] = 0
    if config.get("head_dim") and config["head_dim"] == config.get("qk_rope_head_dim"):
        small["head_dim"] = SIZES["qk_rope_head_dim"]
    if kv:
        small["num_key_value_heads"] = 4 if kv == heads else min(2, kv)
    depth = next((config[key] for key in DEPTH if config.get(key)), 0)
    lists = {k: v for k, v in config.items() if isinstance(v, list) and len(v) == depth > LAYERS}
    columns = list(zip(*(map(str, v) for v in lists.values()), strict=True)) or [()] * depth
    firsts = {column: columns.index(column) for column in columns}
    kept = sorted(firsts.values())[:LAYERS]
    kept = sorted({*kept, *[i for i in range(depth) if i not in kept][: LAYERS - len(kept)]})
    for key, values in lists.items():
        small[key] = [values[i] for i in kept]
    for key in DEPTH:
        if config.get(key):
            small[key] = len(kept)
    if small.get("first_k_dense_replace"):
        small["first_k_dense_replace"] = 1
    return small


#: types whose shrunk default is taken as it is
PLAIN = """
    afmoe axk1 bailing_hybrid bamba beam cohere2_moe deepseek_v3 deepseek_v32 ernie4_5_moe exaone_moe falcon_mamba
    flex_olmo flint glm4_moe glm4_moe_lite glm_moe_dsa gpt_oss granitemoe granitemoe_swa granitemoehybrid
    granitemoeshared hy_v3 jamba kimi_linear kolibri1 lara_mini lfm3 llama4_text longcat_flash mamba mellum
    mimo_v2_flash minimax minimax_m2 minimax_m3_vl_text mixtral olmo_hybrid olmoe phimoe qwen2_moe qwen3_5_moe_text
    qwen3_5_text qwen3_moe qwen3_next recurrent_gemma sarvam_mla sarvam_moe solar_open xlstm zaya kimi_k25 minicpmv4_6
    minimax_m3_vl qwen3_5 qwen3_5_moe qwen3_omni_moe_thinker qwen3_vl_moe bart blenderbot blenderbot-small m2m_100
    marian mbart mt5 pegasus plbart t5 umt5 whisper exaone4_5 hy_v4 lfm3_vl lighton_ocr longt5 mistral4
    modernbert-decoder nllb-moe audioflamingo3 florence2 glmasr
"""
ALTERNATE = ["sliding_attention", "full_attention"] * 2
TEXT = {
    "vocab_size": 96,
    "hidden_size": 48,
    "intermediate_size": 40,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "pad_token_id": 0,
}
LATENT = {
    "kv_lora_rank": 24,
    "q_lora_rank": 20,
    "qk_nope_head_dim": 12,
    "qk_rope_head_dim": 8,
    "v_head_dim": 10,
    "head_dim": 8,
    "num_key_value_heads": 4,
}
WIDE_LATENT = {
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "q_lora_rank": 20,
    "kv_lora_rank": 16,
    "head_dim": 20,
    "qk_nope_head_dim": 12,
    "qk_rope_head_dim": 8,
    "v_head_dim": 14,
}
GROUPED = {
    "n_routed_experts": 8,
    "n_shared_experts": 2,
    "num_experts_per_tok": 3,
    "moe_intermediate_size": 24,
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 1,
}
SHARED_KV = {
    "num_hidden_layers": 4,
    "layer_types": ALTERNATE,
    "num_kv_shared_layers": 2,
    "per_layer_config": {"1": {"head_dim": 32}, "3": {"head_dim": 32}},
    "use_double_wide_mlp": True,
}
GEMMA4_MOE = {
    "num_hidden_layers": 4,
    "layer_types": ALTERNATE,
    "per_layer_config": {
        "1": {"head_dim": 32, "num_key_value_heads": 1},
        "3": {"head_dim": 32, "num_key_value_heads": 1},
    },
    "hidden_size_per_layer_input": 0,
    "attention_k_eq_v": True,
    "enable_moe_block": True,
    "num_experts": 8,
    "top_k_experts": 3,
    "moe_intermediate_size": 24,
}
ZAMBA = {"attention_hidden_size": 96, "attention_head_dim": 24}

#: for each type, a colon and a word for another of the same type, what it has otherwise than its shrunk default
SMALL: dict[str, dict[str, Any]] = {
    **{name: {} for name in PLAIN.split()},
    "cohere2_moe": {"num_shared_experts": 2, "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"]},
    "granitemoe_swa": {"shared_intermediate_size": 28},
    "granitemoeshared": {"shared_intermediate_size": 28},
    "llama4_text": {"interleave_moe_layer_step": 2, "moe_layers": [1, 3]},
    "qwen2_moe": {"decoder_sparse_step": 2},
    "qwen3_moe": {"mlp_only_layers": [1]},
    "qwen3_next": {"mlp_only_layers": [0]},
    "aria_text": {"moe_num_experts": 8, "moe_topk": 3},
    "axk2": {
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "q_lora_rank": 20,
        "kv_lora_rank": 16,
        "head_dim": 8,
        "qk_nope_head_dim": 12,
        "qk_rope_head_dim": 8,
        "v_head_dim": 14,
    },
    "dbrx": {
        "architectures": ["DbrxForCausalLM"],
        "d_model": 48,
        "n_heads": 4,
        "n_layers": 3,
        "vocab_size": 96,
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8, "rope_theta": 10000.0},
        "ffn_config": {"ffn_hidden_size": 40, "moe_num_experts": 8, "moe_top_k": 3},
    },
    "deepseek_v2": {"architectures": ["DeepseekV2ForCausalLM"], **TEXT, **LATENT, **GROUPED},
    "deepseek_v3:no_query_latent": {"q_lora_rank": None, "attention_bias": True, "n_shared_experts": 2},
    "deepseek_v4": {"compress_rates": {"compressed_sparse_attention": 2, "heavily_compressed_attention": 3}},
    "dots3_note_text": {
        "layer_types": ["indexed_attention", "sliding_attention"] * 2,
        "per_layer_config": {"1": WIDE_LATENT, "3": WIDE_LATENT},
        "head_dim": 20,
        "shared_experts_intermediate_size": 28,
    },
    "dots1": {"architectures": ["Dots1ForCausalLM"], **TEXT, **GROUPED, "head_dim": 16},
    "falcon_h1": {"mamba_d_ssm": 48, "mamba_d_head": 6},
    "gemma3n_text": {
        "num_hidden_layers": 4,
        "layer_types": ALTERNATE,
        "num_kv_shared_layers": 2,
        "intermediate_size": [40, 40, 44, 44],
        "activation_sparsity_pattern": [0.5, 0.5, 0.0, 0.0],
    },
    "gemma4_unified_text": {
        "num_hidden_layers": 4,
        "layer_types": ALTERNATE,
        "per_layer_config": {"1": {"head_dim": 32}, "3": {"head_dim": 32}},
        "num_kv_shared_layers": 2,
    },
    "glm5_next": {
        "text_config": {
            "index_kpool": 2,
            "indexer_types": ["full"] * 4,
            "qk_rope_head_dim": 0,
            "head_dim": 0,
            "linear_attn_config": None,
        }
    },
    "gemma4": {"text_config": SHARED_KV},
    "gemma4:experts": {"text_config": GEMMA4_MOE},
    "gemma4_text": SHARED_KV,
    "gemma4_text:experts": GEMMA4_MOE,
    "glm4v_moe": {
        "text_config": {
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "partial_rotary_factor": 0.5,
                "mrope_section": [1, 1, 1],
            }
        }
    },
    "hunyuan_v1_moe": {
        "architectures": ["HunYuanMoEV1ForCausalLM"],
        **TEXT,
        "head_dim": 16,
        "num_experts": 8,
        "moe_topk": 3,
        "num_shared_expert": 1,
    },
    "jetmoe": {"kv_channels": 12},
    "laguna": {"num_attention_heads_per_layer": [4, 6, 4, 8]},
    "lfm2": {"architectures": ["Lfm2ForCausalLM"], **TEXT, "layer_types": ["conv", "full_attention"] * 2},
    "lfm2_moe": {
        "architectures": ["Lfm2MoeForCausalLM"],
        **TEXT,
        "layer_types": ["conv", "full_attention"] * 2,
        "num_dense_layers": 1,
        "num_experts": 8,
        "num_experts_per_tok": 3,
        "moe_intermediate_size": 24,
    },
    "mamba2": {"num_heads": 8, "head_dim": 12, "n_groups": 2},
    "minimax_m3_vl_text:indexed": {
        "layer_types": ["full_attention", "minimax_m3_sparse"] * 2,
        "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"],
        "index_block_size": 2,
        "index_topk_blocks": 2,
    },
    "mistral_large4": {
        "text_config": {
            "kv_source_layers": [0, 1, 1, 3],
            "indexer_types": ["full", "full", "shared", "full"],
            "no_rope_layers": [1, 1, 1, 0],
        }
    },
    "moshi": {"ffn_dim": 40, "head_dim": 12},
    "mllama": {"text_config": {"num_hidden_layers": 4, "cross_attention_layers": [1, 3]}},
    "nemotron_h": {"mamba_num_heads": 8, "mamba_head_dim": 10, "ssm_state_size": 6, "n_groups": 2},
    "nemotron_h:latent": {
        "mamba_num_heads": 8,
        "mamba_head_dim": 10,
        "ssm_state_size": 6,
        "n_groups": 2,
        "moe_latent_size": 11,
    },
    "rwkv": {"attention_hidden_size": 48},
    "step3p7": {"text_config": {"sliding_window": 4, "num_sliding_attention_heads": 4}},
    "zamba": {
        **ZAMBA,
        "num_hidden_layers": 8,
        "layers_block_type": ["linear_attention", "hybrid"] * 4,
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
    },
    "zamba2": {
        **ZAMBA,
        "num_hidden_layers": 6,
        "layers_block_type": [
            "linear_attention",
            "hybrid",
            "linear_attention",
            "hybrid",
            "hybrid",
            "linear_attention",
        ],
        "hybrid_layer_ids": [1, 3, 4],
        "mamba_headdim": 24,
        "n_mamba_heads": 4,
        "kv_channels": 12,
        "num_query_groups": 4,
        "adapter_rank": 5,
        "num_mem_blocks": 2,
        "use_shared_attention_adapter": True,
    },
}


def build(config: dict[str, Any]) -> Any:
    cls = getattr(transformers, config["architectures"][0])
    torch.manual_seed(0)
    settings = cls.config_class.from_dict(plain(config))
    settings._attn_implementation = settings._experts_implementation = "eager"
    model = cls(settings).float().eval()
    with torch.no_grad():
        for p in model.parameters():  # a zero would keep its partner from a gradient
            p.copy_(torch.nan_to_num(p, 0.0, 0.0, 0.0).clamp(-10, 10) + 0.1 * torch.randn_like(p))
        for name, table in model.named_buffers():  # the experts of each token where no router chooses them
            if name.endswith("tid2eid"):
                table.copy_(torch.arange(table.shape[1]).expand_as(table))
    return model.requires_grad_(True)


def plain(value: Any) -> Any:
    """A config with the infinities that JSON cannot spell."""
    if isinstance(value, dict):
        if value.keys() == {"__float__"}:
            return float(value["__float__"])
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def context(model: Any, tokens: torch.Tensor) -> dict[str, Any]:
    """What an encoder hands to the decoder; nothing where there is none."""
    if not model.config.is_encoder_decoder:
        return {}
    source: dict[str, torch.Tensor] = {"input_ids": tokens.flip(1)}
    if hasattr(model.config, "num_mel_bins"):
        shape = (1, model.config.num_mel_bins, 2 * model.config.max_source_positions)
        source = {"input_features": torch.randn(shape)}
    with torch.no_grad():
        return {"encoder_outputs": model.get_encoder()(**source)}


def scores(model: Any, tokens: torch.Tensor, given: dict[str, Any]) -> torch.Tensor:
    """The scores behind the last token, with all before it detached at every layer."""
    handles = [layer.register_forward_pre_hook(detach, with_kwargs=True) for layer in stack(model)]
    name = "decoder_input_ids" if given else "input_ids"
    try:
        return model(**{name: tokens}, **given, use_cache=False).logits[0, -1]
    finally:
        for handle in handles:
            handle.remove()


def decoded(model: Any, tokens: torch.Tensor) -> torch.Tensor:
    """The same scores, of the last token alone behind a cache."""
    with torch.no_grad():
        out = model(input_ids=tokens[:, :-1], use_cache=True)
    return model(input_ids=tokens[:, -1:], use_cache=True, past_key_values=out.past_key_values).logits[0, -1]


def stack(model: Any) -> Any:
    """The layers of the decoder."""
    for name, module in model.named_modules():
        named = re.search(r"(^|\.)(layers|blocks|block|h)$", name) and not re.search(
            r"vis|audio|encoder\.", name
        )
        if named and isinstance(module, torch.nn.ModuleList):
            return module
    raise LookupError("no list of layers")


def detach(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a layer reads, with all positions but the last detached."""

    def cut(x: Any) -> Any:
        if torch.is_tensor(x) and x.requires_grad and TOKENS in x.shape:
            axis = x.shape.index(TOKENS)
            before, last = x.split([TOKENS - 1, 1], axis)
            return torch.cat([before.detach(), last], axis)
        return x

    return tuple(map(cut, args)), {k: cut(v) for k, v in kwargs.items()}


def used(model: Any) -> dict[str, Any]:
    """The parameters that the last of a few tokens uses."""
    tokens = torch.randint(3, 60, (1, TOKENS), generator=torch.Generator().manual_seed(0))
    given = context(model, tokens)
    active, routed, experts, silent = backward(model, scores(model, tokens, given))
    again = None if given else by_cache(model, tokens)
    assert again in (None, experts), f"a cache gives other experts: {again}, not {experts}"
    steering = steer(model, tokens, given, silent)
    idle: dict[str, int] = {}
    for name, p in silent.items():
        if name not in steering:
            pattern = re.sub(r"\.\d+\.", ".*.", name)
            idle[pattern] = idle.get(pattern, 0) + p.numel()
    return {
        "active": active,
        "routed": routed,
        "steering": {name: silent[name].numel() for name in steering},
        "experts": experts,
        "idle": idle,
    }


def by_cache(model: Any, tokens: torch.Tensor) -> dict[str, list[int]] | None:
    """The experts used behind a cache; None for a class that has no cache or writes into it."""
    try:
        return backward(model, decoded(model, tokens))[2]
    except (RuntimeError, TypeError, ValueError, AttributeError):
        return None


def backward(model: Any, out: torch.Tensor) -> tuple[int, int, dict[str, list[int]], dict[str, torch.Tensor]]:
    """Parameters with a gradient, and those of experts; slices of experts with one, of all; dense ones without."""
    assert torch.isfinite(out).all(), "the scores are not finite"
    model.zero_grad()
    (out * torch.randn(out.shape, generator=torch.Generator().manual_seed(2))).sum().backward()
    active, routed = 0, 0
    experts: dict[str, list[int]] = {}
    silent: dict[str, torch.Tensor] = {}
    for name, p in model.named_parameters():
        got = p.grad is not None and bool(p.grad.any())
        slices = count_slices(model, name, p)
        if slices:
            n = sum(bool(g.any()) for g in p.grad.reshape(slices, -1)) if got else 0
            row = experts.setdefault(re.sub(r"\.\d+\.", ".*.", name), [0, 0])
            row[0] += n
            row[1] += slices
            routed += n * (p.numel() // slices)
        elif got:
            active += p.numel()
        else:
            silent[name] = p
    return active + routed, routed, experts, silent


def count_slices(model: Any, name: str, p: torch.Tensor) -> int:
    """How many experts a tensor holds; 0 for one that holds none."""
    text = model.config.get_text_config()
    text = getattr(text, "ffn_config", text)
    count = next((n for key in COUNTS if (n := getattr(text, key, None))), 0)
    if not count or re.search("shared|conv|router|gate$", name):
        return 0
    if (
        p.shape[0] == count * getattr(text, "ffn_hidden_size", 0) and "experts" in name
    ):  # DBRX: one below the other
        return count
    counts = (count, count + getattr(text, "zero_expert_num", 0))
    stacked = p.dim() == 3 or (p.dim() == 2 and name.endswith("_bias"))
    return p.shape[0] if stacked and p.shape[0] in counts else 0


def steer(
    model: Any, tokens: torch.Tensor, given: dict[str, Any], silent: dict[str, torch.Tensor]
) -> list[str]:
    """The parameters without a gradient that the scores depend on all the same."""

    def matter(names: list[str]) -> list[str]:
        if not names or not any(changes(names, seed) for seed in range(6)):
            return []
        if len(names) == 1:
            return names
        half = len(names) // 2
        return matter(names[:half]) + matter(names[half:])

    def changes(names: list[str], seed: int) -> bool:
        kept = [silent[name].detach().clone() for name in names]
        source = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name in names:
                silent[name].copy_(5 * torch.randn(silent[name].shape, generator=source))
            changed = not torch.equal(scores(model, tokens, given), before)
            for name, value in zip(names, kept, strict=True):
                silent[name].copy_(value)
        return changed

    with torch.no_grad():
        before = scores(model, tokens, given)
    return matter(list(silent))


def rows() -> Iterator[dict[str, Any]]:
    """Every type of SMALL and its config."""
    lines = (HERE / "defaults.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = ("causal", "itt", "s2s", "speech")
    ranked = sorted(
        (r for r in map(json.loads, lines) if r["kind"] in kinds), key=lambda r: kinds.index(r["kind"])
    )
    defaults = {r["type"]: r for r in ranked}
    for name, changes in SMALL.items():
        model_type, _, word = name.partition(":")
        config = {"model_type": model_type}
        if model_type in defaults:
            default = defaults[model_type]
            config = {**shrink(default["config"]), "architectures": [default["class"]]} | config
        yield {"type": model_type, "variant": word, "config": merge(config, changes)}


def merge(config: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    both = {**config, **changes}
    if "text_config" in config and "text_config" in changes:
        both["text_config"] = {**config["text_config"], **changes["text_config"]}
    return both


def main() -> None:
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    found = []
    for row in rows():
        try:
            found.append(row | used(build(row["config"])))
        except Exception as error:  # said so and left out
            print(f"{row['type']}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    text = "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in found)
    (HERE / "active.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
