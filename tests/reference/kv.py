"""See with transformers what a small model's cache holds after a prompt: run by `make conformance`.

The models are those of active.py, and the shrunk default of every class in defaults.jsonl that decodes. Each reads two
prompts with a cache; of each layer is noted, in elements of one sequence:

    kv        keys, values, latent vectors, keys of indexers and compressed entries, after each prompt
    cross     [elements, tokens] of the keys and values of an encoder
    carried   what a recurrence carries on, and in what dtype
    inputs    [channels, columns] of the last inputs of a convolution
    waiting   what waits for an entry to be full

Rows of kv.jsonl whose config is in active.jsonl name it, the others have their own.
"""

import json
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import active
import torch
import transformers
from active import HERE, merge, plain, shrink
from transformers.modeling_outputs import BaseModelOutput

PROMPTS = (12, 23)
#: seconds for one model, and its parameters
LIMIT, LARGEST = 60, 100_000_000

#: where the small config of active.py has no layer of a kind that the family has
CHANGES: dict[str, dict[str, Any]] = {
    "bamba": {"attn_layer_indices": [1]},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"] * 2},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "llama4_text": {"attention_chunk_size": 4},
    "xlstm": {"hidden_size": 128, "embedding_dim": 128, "num_heads": 2, "qk_dim_factor": 0.5},
}
KINDS = ("causal", "itt", "s2s", "speech")
#: types whose encoder hears: their decoder is given any seven vectors in place of what it puts out
HEARING = ("canary", "cohere_asr", "moonshine", "speech_to_text")
#: types that keep a cache and do not return it
UNRETURNED = ("recurrent_gemma",)


def rows() -> Iterator[dict[str, Any]]:
    """The configs of active.py first, then the defaults of the classes that it does not have."""
    seen = set()
    for row in active.rows():
        config = row["config"]
        key = config["model_type"], config["architectures"][0]
        seen.add(key)
        if row["type"] in CHANGES:
            yield {"type": row["type"], "config": merge(config, CHANGES[row["type"]])}
        else:
            yield {"type": row["type"], "variant": row["variant"], "active": True, "config": config}
    for line in (HERE / "defaults.jsonl").read_text(encoding="utf-8").splitlines():
        r = json.loads(line)
        if r["kind"] in KINDS and (r["type"], r["class"]) not in seen:
            config = {**short(shrink(r["config"])), "architectures": [r["class"]], "model_type": r["type"]}
            yield {"type": r["type"], "config": merge(config, CHANGES.get(r["type"], {}))}


def short(config: dict[str, Any]) -> dict[str, Any]:
    """A config whose towers name no layers that the shrunk ones lack."""
    found = {k: short(v) if isinstance(v, dict) else v for k, v in config.items()}
    if isinstance(found.get("global_attn_indexes"), list):
        found["global_attn_indexes"] = [
            i for i in found["global_attn_indexes"] if i < config["num_hidden_layers"]
        ]
    return found


def layers_of(config: dict[str, Any]) -> list[dict[str, Any]]:
    """What each layer keeps after both prompts."""
    short, long = (held(config, n) for n in PROMPTS)
    found = []
    for i in range(max([*short, *long, -1]) + 1):
        layer: dict[str, Any] = {"kv": [x.get(i, {}).get("kv", 0) for x in (short, long)]}
        rest = {k: v for k, v in long.get(i, {}).items() if k != "kv"}
        found.append({k: v for k, v in (layer | rest).items() if v != [0, 0]})
    return found


def held(config: dict[str, Any], n: int) -> dict[int, dict[str, Any]]:
    """layer -> what it keeps, after a prompt of ``n`` tokens."""
    cls = getattr(transformers, config["architectures"][0])
    torch.manual_seed(0)
    settings = cls.config_class.from_dict(plain(config))
    settings._attn_implementation = settings._experts_implementation = "eager"
    with torch.device("meta"):
        count = sum(p.numel() for p in cls(settings).parameters())
    if count > LARGEST:
        raise ValueError(f"{count:,} parameters: its sizes have names that active.py does not shrink")
    model = cls(settings).to(torch.bfloat16).eval()
    tokens = torch.randint(3, 60, (1, n), generator=torch.Generator().manual_seed(0))
    given = context(model)
    name = "decoder_input_ids" if model.config.is_encoder_decoder else "input_ids"
    with torch.no_grad():
        out = model(**{name: tokens}, **given, use_cache=True)
        found = first(out)
        if found is None and config["model_type"] in UNRETURNED:
            found = transformers.DynamicCache(config=model.config)
            model(**{name: tokens}, past_key_values=found, use_cache=True)
    layers: dict[int, dict[str, Any]] = {}
    for path, tensor in tensors(found, "", set()):
        note(layers, path, tensor)
    for path, module in model.named_modules():  # RecurrentGemma keeps its states in its modules
        for key in ("recurrent_states", "conv1d_state"):
            value = vars(module).get(key)
            if torch.is_tensor(value):
                note(layers, f"{path}.{key}", value)
    return layers


def context(model: Any) -> dict[str, Any]:
    """What an encoder hands to the decoder, or a tower to the layers of cross-attention."""
    config = model.config
    if config.model_type == "mllama":
        return {
            "cross_attention_states": torch.randn(1, 7, config.text_config.hidden_size).to(torch.bfloat16)
        }
    if not config.is_encoder_decoder:
        return {}
    if config.model_type in HEARING:
        width = getattr(config, "encoder_config", config).hidden_size
        heard = BaseModelOutput(last_hidden_state=torch.randn(1, 7, width).to(torch.bfloat16))
        heard.attention_mask = None
        return {"encoder_outputs": heard}
    source: dict[str, torch.Tensor] = {"input_ids": torch.arange(3, 8)[None]}
    if hasattr(config, "num_mel_bins"):
        shape = (1, config.num_mel_bins, 2 * config.max_source_positions)
        source = {"input_features": torch.randn(shape).to(torch.bfloat16)}
    with torch.no_grad():
        return {"encoder_outputs": model.get_encoder()(**source)}


def first(out: Any) -> Any:
    """The cache that a class returns, under whatever name."""
    names = ("past_key_values", "cache_params", "state")
    return next((found for name in names if (found := getattr(out, name, None)) is not None), None)


def tensors(value: Any, path: str, seen: set[Any], depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor in a cache, with where it stands; one that has two names once."""
    if torch.is_tensor(value):
        if value.is_floating_point() and value.numel() and (value.data_ptr(), value.shape) not in seen:
            seen.add((value.data_ptr(), value.shape))
            yield path, value
        return
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list | tuple):
        items = enumerate(value)
    elif hasattr(value, "__dict__") and not isinstance(value, torch.nn.Module | type) and depth < 6:
        items = vars(value).items()
    for key, inner in items:
        if key != "config":
            yield from tensors(inner, f"{path}.{key}", seen, depth + 1)


def note(layers: dict[int, dict[str, Any]], path: str, tensor: torch.Tensor) -> None:
    """Add a tensor to what its layer keeps."""
    if re.search(r"^\.\d+$", path):  # RWKV: each state holds all layers, along its last axis
        for i in range(tensor.shape[-1]):
            keep(layers, i, "shifted" if tensor.dtype == torch.bfloat16 else "carried", tensor[..., i])
        return
    at = re.search(r"(?:layers|linear_cache|rnn_state|blocks)\.(\d+)", path)
    if at is None:
        raise LookupError(path)
    i = int(at[1])
    if re.search("conv", path):
        columns = tensor.shape[-1]
        row = layers.setdefault(i, {}).setdefault("inputs", [0, columns])
        assert row[1] == columns, f"{path}: convolutions of two widths in one layer"
        row[0] += tensor.numel() // columns
    elif re.search("recurrent|linear_cache|rnn_state", path):
        keep(layers, i, "carried", tensor)
    elif re.search("buffer_|overlap_", path):
        keep(layers, i, "waiting", tensor)
    elif "cross_attention_cache" in path or (tensor.dim() == 4 and tensor.shape[2] == 7):
        row = layers.setdefault(i, {}).setdefault("cross", [0, tensor.shape[2]])
        row[0] += tensor.numel()
    else:
        keep(layers, i, "kv", tensor)


def keep(layers: dict[int, dict[str, Any]], i: int, kind: str, tensor: torch.Tensor) -> None:
    row = layers.setdefault(i, {})
    if kind == "carried":
        before = row.get(kind, [0, ""])[0]
        row[kind] = [before + tensor.numel(), str(tensor.dtype).removeprefix("torch.")]
    else:
        row[kind] = row.get(kind, 0) + tensor.numel()


def late(*_: Any) -> None:
    raise TimeoutError(f"more than {LIMIT} seconds")


def main() -> None:
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    signal.signal(signal.SIGALRM, late)
    only = sys.argv[1:]
    found = []
    for row in rows():
        if only and row["type"] not in only:
            continue
        try:
            signal.alarm(LIMIT)
            layers = layers_of(row["config"])
        except Exception as error:  # said so and left out
            print(f"{row['type']}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            continue
        finally:
            signal.alarm(0)
        named = row.pop("config") if row.pop("active", False) else row["config"]
        row["class"] = named["architectures"][0]
        found.append(row | {"layers": layers})
        print(row["type"], row["class"], len(layers), flush=True)
    if only:
        for row in found:
            print(json.dumps({k: v for k, v in row.items() if k != "config"}))
        return
    text = "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in found)
    (HERE / "kv.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
