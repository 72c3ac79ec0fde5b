"""DeepSeek-V4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..config import Config
from ..tensors import TensorSpec
from .blocks import (
    Block,
    Part,
    decoder,
    experts,
    linear,
    one_layer,
    place,
    rms_norm,
    shared_expert,
    vector,
)

#: how many tokens one compressed entry stands for -> the kind of layer
RATIOS = {0: "sliding_attention", 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}
NORMS = ("attn_norm", "ffn_norm")


def deepseek_v4(c: Config) -> Iterator[Part]:
    """DeepSeek-V4: one key and value head behind a window and a compressed past; the output in groups of low rank.

    Every layer mixes ``hc_mult`` residual streams before and after each half. The first layers route by a table from
    token to experts. MTP layers see a window only, and join by two maps instead of one.
    Source: modeling_deepseek_v4 in transformers 5.24, names of the Hub files; the MTP layers from the files.
    Implied: sinks, router, its correction bias or its table, the mixing of streams.
    Checked: deepseek-ai/DeepSeek-V4-Pro stored 1,598,839,674,782 with MTP, scales 49,150,268,416, Hub
    1,598,839,674,782, residual 0.  The Hub's 158,069,433,298 for V4-Flash count two 4-bit values as one, and scales.
    """
    windowed = v4_attention(c)
    by_kind = {kind: compressed(c, windowed, kind, ratio) for kind, ratio in rates(c).items()}
    by_router = {kind: v4_experts(c, hashed=kind == "hash_moe") for kind in ("hash_moe", "moe")}
    yield from decoder(
        c,
        attention=[by_kind[kind] for kind in v4_layers(c)],
        mlp=[by_router[kind] for kind in v4_routers(c)],
        layer_norms=NORMS,
        base="",
        embed="embed",
        output="head",
    )
    yield from hyper_head(c)
    yield from v4_mtp(
        c, by_kind["sliding_attention"], by_router["moe"], c.natural("num_nextn_predict_layers")
    )


def v4_layers(c: Config) -> list[str]:
    """The kind of each layer: ``layer_types``, else ``compress_ratios``; else two heavy ones, then in turns."""
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        return c.list_of("layer_types", n, tuple(RATIOS.values()))
    given = c.get("compress_ratios")
    if given is not None:  # one more for each MTP layer
        if not isinstance(given, list | tuple) or len(given) < n or any(r not in [*RATIOS] for r in given):
            raise c.error("compress_ratios", given, f"must be a list of at least {n} of 0, 4 and 128")
        return [RATIOS[r] for r in given[:n]]
    return [RATIOS[4] if i > 2 and i % 2 else RATIOS[128] for i in range(n)]


def rates(c: Config) -> dict[str, int]:
    """How many tokens one compressed entry of each kind of layer stands for."""
    given = c.get("compress_rates", {})
    if not isinstance(given, Mapping):
        raise c.error("compress_rates", given, "must give a number for each kind of layer")
    csa, hca = RATIOS[4], RATIOS[128]
    found = {
        RATIOS[0]: 0,
        csa: c.get("compress_rate_csa", given.get(csa, 4)),
        hca: c.get("compress_rate_hca", given.get(hca, 128)),
    }
    if not all(type(rate) is int and rate >= 0 for rate in found.values()):
        raise c.error("compress_rates", given, "must be whole numbers")
    return found


def v4_routers(c: Config) -> list[str]:
    """How each layer routes: ``mlp_layer_types``, else by a table in the first ``num_hash_layers``."""
    n = int(c.num_hidden_layers)
    if c.has("mlp_layer_types"):
        return c.list_of("mlp_layer_types", n, ("hash_moe", "moe"))
    hashed = int(c.natural("num_hash_layers"))
    return ["hash_moe" if i < hashed else "moe" for i in range(n)]


def v4_attention(c: Config) -> Block:
    """Queries of low rank, one vector that is key and value of all heads, and the output in groups."""
    hidden, heads, width, rank = c.hidden_size, c.num_attention_heads, c.head_dim, c.q_lora_rank
    groups, role = c.o_groups, "attention"
    if heads * width % groups:
        raise c.error(
            "o_groups", int(groups), f"does not divide {int(heads * width)}, the width of all heads"
        )
    inner = groups * c.o_lora_rank
    return Block(
        (
            TensorSpec(
                "attn.attn_sink", (heads,), role, implied=True, dtype="float32", note="one logit a head"
            ),
            *linear("attn.wq_a", rank, hidden, role=role),
            vector("attn.q_norm.weight", rank, role=role),
            *linear("attn.wq_b", heads * width, rank, role=role),
            *linear("attn.wkv", width, hidden, role=role),
            vector("attn.kv_norm.weight", width, role=role),
            *linear("attn.wo_a", inner, heads * width // groups, role=role, note="each group by itself"),
            *linear("attn.wo_b", hidden, inner, role=role),
            *hyper_connection(c, "hc_attn"),
        ),
        {
            "mixer": "sliding",
            "window": int(c.sliding_window),
            "kv_heads": 1,
            "k_dim": int(width),
            "v_dim": 0,
        },
    )


def compressed(c: Config, windowed: Block, kind: str, rate: int) -> Block:
    """Attention to a window, and to the past in entries of ``rate`` tokens each; the sparse kind chooses among them."""
    width = c.head_dim
    if kind == RATIOS[0]:
        return windowed
    sparse = kind == RATIOS[4]
    past = [*compressor(c, "attn.compressor", width, rate, overlap=sparse)]
    wide = 2 * int(width) if sparse else int(width)
    facts: dict[str, int] = {"compressed": int(width), "rate": max(rate, 1)}
    # keys and weights of the tokens that do not fill an entry yet, and where neighbours overlap those of the last entry
    waiting = 2 * (rate - 1) * wide
    if sparse:
        heads, own, role = c.index_n_heads, c.index_head_dim, "attention"
        past += compressor(c, "attn.indexer.compressor", own, rate, overlap=True)
        past += linear("attn.indexer.wq_b", heads * own, c.q_lora_rank, role=role)
        past += linear("attn.indexer.weights_proj", heads, c.hidden_size, role=role)
        facts["indexer"] = int(own)
        waiting += 2 * (rate - 1) * 2 * int(own) + 2 * rate * int(width + own)
    return windowed.plus(*past).with_facts(mixer="compressed", state_elements=max(waiting, 0), **facts)


def compressor(c: Config, path: str, width: int, rate: int, *, overlap: bool) -> list[TensorSpec]:
    """Makes one entry of ``rate`` tokens, or of twice as many where neighbours overlap."""
    out, role = 2 * width if overlap else width, "attention"
    return [
        TensorSpec(
            f"{path}.ape", (rate, out), role, implied=True, dtype="float32", note="positions in an entry"
        ),
        *linear(f"{path}.wkv", out, c.hidden_size, role=role, implied=True),
        *linear(f"{path}.wgate", out, c.hidden_size, role=role, implied=True),
        vector(f"{path}.norm.weight", width, role=role, implied=True),
    ]


def v4_experts(c: Config, *, hashed: bool) -> Block:
    """DeepSeek's experts under the names of the files; a hashed layer looks its experts up by the token."""
    top_k, width, names = c.num_experts_per_tok, c.moe_intermediate_size, ("w1", "w3", "w2")
    table = TensorSpec(
        "ffn.gate.tid2eid",
        (c.vocab_size, top_k),
        "router",
        "buffer",
        implied=True,
        dtype="int64",
        note="the experts of each token",
    )
    moe = experts(
        c,
        count=c.n_routed_experts,
        width=width,
        path="ffn",
        correction=table if hashed else "ffn.gate.bias",
        matrices=names,
        shared=shared_expert(c, width, path="ffn.shared_experts", bias=c.flag("mlp_bias"), matrices=names),
    )
    return moe.plus(*hyper_connection(c, "hc_ffn"))


def hyper_connection(c: Config, name: str, joint: str = "_") -> list[TensorSpec]:
    """Reads ``hc_mult`` residual streams into one, and writes the result back to all."""
    streams = c.hc_mult
    weights = (2 + streams) * streams
    return hyper(name, weights, streams * c.hidden_size, 3, joint=joint)


def hyper_head(c: Config, at: str = "", role: str = "other") -> list[TensorSpec]:
    """Reads the streams into one at the end."""
    return hyper(f"{at}hc_head", c.hc_mult, c.hc_mult * c.hidden_size, 1, role)


def hyper(
    name: str, weights: int, width: int, scales: int, role: str = "other", *, joint: str = "_"
) -> list[TensorSpec]:
    """A map of all streams to weights of streams, its bias, and a scale for each kind of weight."""
    note = "mixes the residual streams"
    return [
        TensorSpec(f"{name}{joint}fn", (weights, width), role, implied=True, dtype="float32", note=note),
        TensorSpec(f"{name}{joint}base", (weights,), role, "bias", implied=True, dtype="float32"),
        TensorSpec(f"{name}{joint}scale", (scales,), role, implied=True, dtype="float32"),
    ]


def v4_mtp(c: Config, attention: Block, moe: Block, depth: int) -> Iterator[TensorSpec]:
    """Prediction layers: whole layers that join by two maps, with a reading of the streams of their own."""
    hidden, norm = c.hidden_size, rms_norm(c)
    own = [
        *linear("e_proj", hidden, hidden, role="mtp", note="reads the embedding"),
        *linear("h_proj", hidden, hidden, role="mtp", note="reads the hidden state"),
        *(t for name in ("enorm", "hnorm", "norm") for t in norm(name)),
        *one_layer(norm, NORMS, attention, moe),
        *hyper_head(c),
    ]
    yield from place(own, "mtp.{layer}.", range(depth), role="mtp")
