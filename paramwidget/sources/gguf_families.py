"""How each of llama.cpp's architectures names its hyper-parameters, and what they are called in a config.json.

Source: the converters of llama.cpp (convert_hf_to_gguf.py), read backwards.
"""

from __future__ import annotations

from collections.abc import Callable

from .gguf_config import Config, Facts, NotDescribed, decoder

Family = Callable[[Facts], Config]


def plain(model_type: str, cls: str) -> Family:
    """A decoder that nothing but its type tells from the others."""
    return lambda g: decoder(g, model_type, cls)


def llama(g: Facts) -> Config:
    """Llama, and whatever is converted as if it were one: Mistral, Mixtral, Yi."""
    if g.get("expert_count"):
        used = g.number("expert_used_count")
        return decoder(
            g, "mixtral", "Mixtral", num_local_experts=g.number("expert_count"), num_experts_per_tok=used
        )
    return decoder(g, "llama", "Llama", mlp_bias=g.has("ffn_down.bias"))


def internlm2(g: Facts) -> Config:
    """InternLM2, whose q, k and v converters take apart."""
    return decoder(g, "internlm2", "InternLM2", bias=g.has("attn_output.bias"))


def moe(g: Facts) -> Config:
    """The sizes of a mixture of experts."""
    return {
        "num_experts": g.number("expert_count"),
        "num_experts_per_tok": g.number("expert_used_count"),
        "moe_intermediate_size": g.number("expert_feed_forward_length"),
    }


def shared(g: Facts) -> Config:
    """The width of Qwen's shared expert, which older files give only by its tensors."""
    width = g.maybe("expert_shared_feed_forward_length") or g.width("ffn_up_shexp.weight")
    return {"shared_expert_intermediate_size": width}


def qwen2moe(g: Facts) -> Config:
    return {**decoder(g, "qwen2_moe", "Qwen2Moe"), **moe(g), **shared(g)}


def qwen3moe(g: Facts) -> Config:
    """Qwen3-MoE; its layers are all of experts, and the width of a dense one is in no file."""
    sizes = moe(g)
    return {
        "intermediate_size": sizes["moe_intermediate_size"],
        **decoder(g, "qwen3_moe", "Qwen3Moe"),
        **sizes,
    }


def deltanet(g: Facts) -> Config:
    """Qwen3-Next and Qwen3.5: which layers have linear attention, and its heads."""
    v_heads = g.number("ssm.time_step_rank")
    linear = g.layers_with("ssm_out.weight")
    return {
        "layer_types": ["linear_attention" if has else "full_attention" for has in linear],
        "linear_conv_kernel_dim": g.number("ssm.conv_kernel"),
        "linear_key_head_dim": g.number("ssm.state_size"),
        "linear_num_key_heads": g.number("ssm.group_count"),
        "linear_num_value_heads": v_heads,
        "linear_value_head_dim": g.number("ssm.inner_size") // max(v_heads, 1),
        "mtp_num_hidden_layers": g.number("nextn_predict_layers", 0),
    }


def qwen35(g: Facts) -> Config:
    return {**decoder(g, "qwen3_5_text", "Qwen3_5"), **deltanet(g)}


def qwen35moe(g: Facts) -> Config:
    return {**decoder(g, "qwen3_5_moe_text", "Qwen3_5Moe"), **moe(g), **shared(g), **deltanet(g)}


def qwen3next(g: Facts) -> Config:
    sizes = moe(g)
    return {
        "intermediate_size": sizes["moe_intermediate_size"],
        **decoder(g, "qwen3_next", "Qwen3Next"),
        **sizes,
        **shared(g),
        **deltanet(g),
    }


def deepseek_experts(g: Facts) -> Config:
    sizes = moe(g)
    return {
        "n_routed_experts": sizes.pop("num_experts"),
        **sizes,
        "n_shared_experts": g.number("expert_shared_count", 0),
        "first_k_dense_replace": g.number("leading_dense_block_count", 0),
        "moe_layer_freq": 1,
        "num_nextn_predict_layers": g.number("nextn_predict_layers", 0),
    }


def deepseek(g: Facts) -> Config:
    return {**decoder(g, "deepseek", "Deepseek"), **deepseek_experts(g)}


def latent(g: Facts) -> Config:
    """Latent attention; files that store k_b and v_b give the width of a head under keys of their own."""
    rope = g.number("rope.dimension_count")
    key = g.maybe("attention.key_length_mla") or g.number("attention.key_length")
    return {
        "num_key_value_heads": g.number("attention.head_count"),
        "q_lora_rank": g.maybe("attention.q_lora_rank"),  # null: queries are not compressed
        "kv_lora_rank": g.number("attention.kv_lora_rank"),
        "qk_rope_head_dim": rope,
        "qk_nope_head_dim": key - rope,
        "v_head_dim": g.maybe("attention.value_length_mla") or g.number("attention.value_length"),
    }


def deepseek2(g: Facts) -> Config:
    """DeepSeek-V2 and V3, Kimi-K2, GLM-4.7-Flash: V3's routers have a correction bias."""
    v3 = g.has("exp_probs_b.bias")
    config = decoder(g, *(("deepseek_v3", "DeepseekV3") if v3 else ("deepseek_v2", "DeepseekV2")))
    del config["head_dim"]
    return {**config, **deepseek_experts(g), **latent(g)}


def glm4moe(g: Facts) -> Config:
    config = decoder(g, "glm4_moe", "Glm4Moe", use_qk_norm=g.has("attn_q_norm.weight"))
    return {**config, **deepseek_experts(g)}


def glm_dsa(g: Facts) -> Config:
    """GLM-5: which layers choose their keys themselves, by where an indexer is."""
    own = g.layers_with("indexer.attn_k.weight")
    config = decoder(g, "glm_moe_dsa", "GlmMoeDsa")
    del config["head_dim"]
    return {
        **config,
        **deepseek_experts(g),
        **latent(g),
        "index_n_heads": g.number("attention.indexer.head_count"),
        "index_head_dim": g.number("attention.indexer.key_length"),
        "indexer_types": ["full" if has else "shared" for has in own],
    }


def gpt_oss(g: Facts) -> Config:
    return decoder(
        g,
        "gpt_oss",
        "GptOss",
        intermediate_size=g.number("expert_feed_forward_length"),
        num_local_experts=g.number("expert_count"),
        num_experts_per_tok=g.number("expert_used_count"),
    )


def olmoe(g: Facts) -> Config:
    used = g.number("expert_used_count")
    return decoder(g, "olmoe", "Olmoe", num_experts=g.number("expert_count"), num_experts_per_tok=used)


def phimoe(g: Facts) -> Config:
    used = g.number("expert_used_count")
    return decoder(
        g,
        "phimoe",
        "Phimoe",
        num_local_experts=g.number("expert_count"),
        num_experts_per_tok=used,
        lm_head_bias="output.bias" in g.shapes,
    )


def granitemoe(g: Facts) -> Config:
    used = g.number("expert_used_count")
    return decoder(
        g, "granitemoe", "GraniteMoe", num_local_experts=g.number("expert_count"), num_experts_per_tok=used
    )


def gemma4(g: Facts) -> Config:
    """Gemma 4: the layers that see all have wider heads, fewer for keys, and no attn_v where values are the keys."""
    slides, kv = g.get("attention.sliding_window_pattern"), g.per_layer("attention.head_count_kv")
    if not isinstance(slides, list) or len(slides) != g.blocks:
        raise NotDescribed("gemma4.attention.sliding_window_pattern does not say which layers slide")
    if g.get("expert_count"):
        raise NotDescribed("the experts of Gemma 4 are not described")
    local = sorted({heads for heads, s in zip(kv, slides, strict=True) if s})
    whole = sorted({heads for heads, s in zip(kv, slides, strict=True) if not s})
    if len(local) != 1 or len(whole) != 1:
        raise NotDescribed("gemma4.attention.head_count_kv differs between layers of one kind")
    without_v = [not has for has, s in zip(g.layers_with("attn_v.weight"), slides, strict=True) if not s]
    return decoder(
        g,
        "gemma4_text",
        "Gemma4",
        layer_types=["sliding_attention" if s else "full_attention" for s in slides],
        head_dim=g.number("attention.key_length_swa"),
        global_head_dim=g.number("attention.key_length"),
        num_key_value_heads=local[0],
        num_global_key_value_heads=whole[0],
        attention_k_eq_v=all(without_v),
        hidden_size_per_layer_input=g.number("embedding_length_per_layer_input", 0),
        vocab_size_per_layer_input=g.vocab,
        num_kv_shared_layers=g.number("attention.shared_kv_layers", 0),
        enable_moe_block=False,
    )


def mamba(g: Facts) -> Config:
    """Mamba: a state-space mixer a layer, and nothing else."""
    return {
        "model_type": "mamba",
        "architectures": ["MambaForCausalLM"],
        "vocab_size": g.vocab,
        "hidden_size": g.number("embedding_length"),
        "num_hidden_layers": g.blocks,
        "intermediate_size": g.number("ssm.inner_size"),
        "state_size": g.number("ssm.state_size"),
        "conv_kernel": g.number("ssm.conv_kernel"),
        "time_step_rank": g.number("ssm.time_step_rank"),
        "use_conv_bias": g.has("ssm_conv1d.bias"),
        "use_bias": g.has("ssm_in.bias"),
        "tie_word_embeddings": "output.weight" not in g.shapes,
    }


def mamba2(g: Facts) -> Config:
    hidden, inner, heads = (
        g.number("embedding_length"),
        g.number("ssm.inner_size"),
        g.number("ssm.time_step_rank"),
    )
    if inner % max(hidden, 1) or inner % max(heads, 1):
        raise NotDescribed("mamba2.ssm.inner_size is no multiple of embedding_length and time_step_rank")
    config = mamba(g)
    del config["intermediate_size"], config["time_step_rank"]
    return {
        **config,
        "model_type": "mamba2",
        "architectures": ["Mamba2ForCausalLM"],
        "expand": inner // hidden,
        "num_heads": heads,
        "head_dim": inner // heads,
        "n_groups": g.number("ssm.group_count"),
    }


#: general.architecture -> how it is read
FAMILIES: dict[str, Family] = {
    "llama": llama,
    "arcee": plain("arcee", "Arcee"),
    "bitnet": plain("bitnet", "BitNet"),
    "bitnet-25": plain("bitnet", "BitNet"),
    "bitnet-b1.58": plain("bitnet", "BitNet"),
    "cohere2": plain("cohere2", "Cohere2"),
    "command-r": plain("cohere", "Cohere"),
    "deepseek": deepseek,
    "deepseek2": deepseek2,
    "ernie4_5": plain("ernie4_5", "Ernie4_5"),
    "exaone": plain("exaone", "Exaone"),
    "exaone4": plain("exaone4", "Exaone4"),
    "gemma": plain("gemma", "Gemma"),
    "gemma2": plain("gemma2", "Gemma2"),
    "gemma3": plain("gemma3_text", "Gemma3"),
    "gemma4": gemma4,
    "glm-dsa": glm_dsa,
    "glm4": plain("glm4", "Glm4"),
    "glm4moe": glm4moe,
    "gpt-oss": gpt_oss,
    "granite": plain("granite", "Granite"),
    "granitemoe": granitemoe,
    "hunyuan-dense": plain("hunyuan_v1_dense", "HunYuanDenseV1"),
    "internlm2": internlm2,
    "mamba": mamba,
    "mamba2": mamba2,
    "nemotron": plain("nemotron", "Nemotron"),
    "olmo": plain("olmo", "Olmo"),
    "olmo2": plain("olmo2", "Olmo2"),
    "olmoe": olmoe,
    "orion": plain("orion", "Orion"),
    "phi2": plain("phi", "Phi"),
    "phi3": plain("phi3", "Phi3"),
    "phimoe": phimoe,
    "qwen2": plain("qwen2", "Qwen2"),
    "qwen2moe": qwen2moe,
    "qwen2vl": plain("qwen2", "Qwen2"),
    "qwen3": plain("qwen3", "Qwen3"),
    "qwen35": qwen35,
    "qwen35moe": qwen35moe,
    "qwen3moe": qwen3moe,
    "qwen3next": qwen3next,
    "qwen3vl": plain("qwen3", "Qwen3"),
    "qwen3vlmoe": qwen3moe,
    "seed_oss": plain("seed_oss", "SeedOss"),
    "smollm3": plain("smollm3", "SmolLM3"),
    "starcoder2": plain("starcoder2", "Starcoder2"),
}
