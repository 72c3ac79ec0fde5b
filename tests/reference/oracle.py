"""Count with transformers on the meta device what the sweep compares with: run by `make conformance`.

For every config in models.jsonl and defaults.jsonl the model of its class is built with no memory for its weights,
and three integers are written back: distinct parameters, elements that a second name adds, persistent buffers. A
config that transformers cannot build keeps null.
"""

import json
import sys
import warnings
from copy import deepcopy
from pathlib import Path

import torch
import transformers

HERE = Path(__file__).parent


def counts(config: dict) -> dict:
    cls = getattr(transformers, config["architectures"][0])
    own, asked = cls.config_class.model_type, config.get("model_type", cls.config_class.model_type)
    if own != asked:  # a config read by another type's class would be counted with that class's defaults
        raise TypeError(f"{cls.__name__} is a class of {own}, not of {asked}")
    with torch.device("meta"):
        model = cls(cls.config_class.from_dict(config))
        model.tie_weights()
    once = {name: p.numel() for name, p in model.named_parameters()}
    every = sum(p.numel() for _, p in model.named_parameters(remove_duplicate=False))
    names = set(dict(model.named_parameters(remove_duplicate=False)))
    buffers = sum(t.numel() for name, t in model.state_dict().items() if name not in names)
    params = sum(once.values())
    return {"class": cls.__name__, "params": params, "tied": every - params, "buffers": buffers}


def main() -> None:
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    for name in ("models.jsonl", "defaults.jsonl"):
        rows = [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
        for row in rows:
            config = deepcopy(row["config"])  # transformers writes into what it reads
            config.pop("quantization_config", None)  # its storage, not its parameters
            if not config.get("architectures") or not hasattr(transformers, config["architectures"][0]):
                config["architectures"] = [row["class"] or ""]
            try:
                found = counts(config)
            except Exception as error:  # a config that transformers cannot build is said so and left as it is
                print(
                    f"{name}: {row.get('repo') or row['type']}: {type(error).__name__}: {str(error).splitlines()[:1]}",
                    file=sys.stderr,
                )
                continue
            before = {key: row[key] for key in found}
            if before != found:
                print(f"{name}: {row.get('repo') or row['type']}: {before} -> {found}", file=sys.stderr)
                row.update(found)
        text = "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows)
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
