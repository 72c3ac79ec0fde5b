"""The Hugging Face Hub: one commit is resolved first, and everything is read at that commit.

Token, cache folder, ``HF_ENDPOINT``, ``HF_HUB_OFFLINE`` and proxies are huggingface_hub's own.
"""

from .address import from_address
from .gguf import open_gguf
from .inventory import read_inventory
from .repo import open_repo, open_with

__all__ = ["from_address", "open_gguf", "open_repo", "open_with", "read_inventory"]
