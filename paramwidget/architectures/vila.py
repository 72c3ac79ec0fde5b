"""VILA: three models in three folders of one repository."""

from __future__ import annotations

from collections.abc import Iterator

from ..config import Config
from .blocks import Part
from .blocks.seeing import tower
from .blocks.towers import maps, norm
from .nested import text_config, text_model

#: neighbouring patches that a projector joins
JOINED = {"mlp_downsample": 4, "mlp_downsample_2x2_fix": 4, "mlp_downsample_3x3_fix": 9}


def vila(c: Config) -> Iterator[Part]:
    """VILA 1.5: a tower, patches joined, normed and mapped, any text model; each part in a folder of its own.

    Source: llava/model of NVlabs/VILA (multimodal_projector/base_projector.py).  Implied: the projector.
    Checked: by hand for Efficient-Large-Model/VILA1.5-3b, 3,066,230,336 with the tower's pooling head.
    """
    vision, text = c.sub("vision_tower_cfg"), text_config(c)
    kind, seen = c.sub("mm_projector_cfg").get("mm_projector_type"), c.mm_hidden_size
    if seen != vision.hidden_size:
        raise c.error("mm_hidden_size", int(seen), f"is not the tower's {int(vision.hidden_size)}")
    yield from tower(vision, "vision_tower.")
    out, at = text.hidden_size, "mm_projector.layers."
    if kind in ("mlp_downsample", "mlp_downsample_2x2_fix"):
        joined = seen * JOINED[kind]
        yield from norm(f"{at}1", joined, role="projector")
        yield from maps((f"{at}2", out, joined), (f"{at}4", out, out))
    elif kind == "mlp_downsample_3x3_fix":
        joined, wide = seen * JOINED[kind], seen * 3
        yield from norm(f"{at}1", joined, role="projector")
        yield from maps((f"{at}2", wide, joined))
        yield from norm(f"{at}4", wide, role="projector")
        yield from maps((f"{at}5", out, wide), (f"{at}7", out, out))
    elif kind == "linear":
        yield from maps((at[:-1], out, seen))
    else:
        known = f"is not described; linear, {', '.join(JOINED)} are"
        raise c.error("mm_projector_cfg.mm_projector_type", kind, known)
    yield from text_model(text, "llm.model.", "llm.")
