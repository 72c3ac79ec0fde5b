"""A Hub of this machine, enough of it for the real huggingface_hub; every request is kept, so that a test can read it.

hub = Hub()
hub.add("some/model", {"config.json": "{}", "model.safetensors": safetensors([("a.weight", "BF16", (2, 3))])})
with serve(hub): ...
"""

from .client import connect
from .headers import framed, header_bytes, safetensors, sharded
from .repos import OLD, SHA, Asked, Fault, File, Hub, Repo
from .server import SIGNATURE, serve

__all__ = [
    "OLD",
    "SHA",
    "SIGNATURE",
    "Asked",
    "Fault",
    "File",
    "Hub",
    "Repo",
    "connect",
    "framed",
    "header_bytes",
    "safetensors",
    "serve",
    "sharded",
]
