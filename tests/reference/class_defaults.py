"""Write paramwidget/class_defaults.json: what a config class takes for a key that a file leaves out.

Run by `make conformance`, in an environment that has transformers. Kept are the fields that can decide a tensor's
shape or whether it is there; one model_type a line, so that a reader can find one without parsing the rest.
"""

import dataclasses
import json
import re
import sys
import warnings
from pathlib import Path

import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig

TARGET = Path(__file__).parents[2] / "paramwidget" / "class_defaults.json"

#: fields that decide no tensor: token ids, rates, activations, scales, positions that are computed
UNREAD = re.compile(
    r"(token_id|_token$|dropout|drop_path|pdrop|layerdrop|initializer|_eps$|epsilon|rope(?!_head_dim)|theta|use_cache|"
    r"return_|output_|chunk_size_feed|problem_type|label|_act$|activation|_scale$|_std$|_factor$|_coef|temperature|dtype|gradient|"
    r"task_specific|prefix(?!_dense)|tokenizer|"
    r"capping|softcap|scaling|_loss|jitter|apply_spec|mask_|ctc_|_prob$|init_)"
)
#: fields that the pattern above would drop, and that do decide a shape
KEPT = frozenset(
    {
        "conf_reduction_factor",
        "downsample_factor",
        "enc_res2net_scale",
        "output_channels",
        "output_dim",
        "output_proj_dims",
        "output_vocab_size",
        "pixel_shuffle_factor",
        "projector_output_dim",
        "scale_factor",
        "use_cls_token",
        "use_mask_token",
        "vision_output_dim",
    }
)
#: fractions that decide a shape
RATIO = re.compile(r"ratio$")
BASE = {f.name for f in dataclasses.fields(PreTrainedConfig)} - {"tie_word_embeddings"}


def plain(name, value):
    if isinstance(value, (bool, int, str)) or value is None:
        return True
    if isinstance(value, float):
        return bool(RATIO.search(name))
    return (
        isinstance(value, (list, tuple))
        and len(value) <= 200
        and all(isinstance(x, (int, str)) for x in value)
    )


def defaults(cls):
    found = {"tie_word_embeddings": getattr(cls, "tie_word_embeddings", None)}
    for f in dataclasses.fields(cls):
        if f.name in BASE or (UNREAD.search(f.name) and f.name not in KEPT):
            continue
        if f.default is not dataclasses.MISSING:
            value = f.default
        elif f.default_factory is not dataclasses.MISSING:
            value = f.default_factory()
        else:
            continue
        if plain(f.name, value):
            found[f.name] = list(value) if isinstance(value, tuple) else value
    return found | nested(cls)


def nested(cls):
    """The nested configs of a class: the type, whether a file may name another, and what one is when left out.

    ``merged``: what a file leaves out of one that it gives is taken from there too, and not from its own class.
    """
    found = {}
    for key, spec in getattr(cls, "sub_configs_defaults", {}).items():
        found[key] = {
            "model_type": spec.model_type,
            "any": not issubclass(spec.config_class, transformers.PreTrainedConfig),
            "optional": spec.optional,
            "left_out": {k: v for k, v in spec.init_kwargs.items() if not UNREAD.search(k) and plain(k, v)},
        }
        if found[key]["left_out"] and spec.model_type and merges(cls, key, spec):
            found[key]["merged"] = True
    return {"sub_configs": found} if found else {}


def merges(cls, key, spec):
    """Whether a nested config that only names its type is what the class has for one that is left out."""
    try:
        given = getattr(cls(**{key: {"model_type": spec.model_type}}), key)
        own = CONFIG_MAPPING[spec.model_type]()
    except Exception:  # a class that refuses one without its sizes, or a tower of timm
        return False
    differs = {k: v for k, v in spec.init_kwargs.items() if getattr(own, k, v) != v}
    return bool(differs) and all(getattr(given, k) == v for k, v in differs.items())


def main():
    warnings.filterwarnings("ignore")
    lines = [
        f"{json.dumps(name)}:{json.dumps(defaults(CONFIG_MAPPING[name]), separators=(',', ':'), sort_keys=True)}"
        for name in sorted(CONFIG_MAPPING.keys())
    ]
    head = f'"transformers":{json.dumps(transformers.__version__)}'
    TARGET.write_text("{\n" + ",\n".join([head, *lines]) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} types, transformers {transformers.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
