"""The addresses of pages on the Hub, as a reader pastes them."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from ...errors import SourceError, shown


def from_address(address: str, revision: str | None) -> tuple[str, str | None]:
    """The repository, and the revision if it names one, of a page's address: what a reader pastes.

    Of the page of a GGUF file, of which a repository has many, the file too.

    >>> from_address("https://huggingface.co/openai/gpt-oss-120b/blob/main/config.json", None)
    ('openai/gpt-oss-120b', 'main')
    >>> from_address("https://huggingface.co/ggml-org/gpt-oss-20b-GGUF/blob/main/gpt-oss-20b-mxfp4.gguf", None)
    ('ggml-org/gpt-oss-20b-GGUF/gpt-oss-20b-mxfp4.gguf', 'main')
    """
    try:
        split = urlsplit(address)
        host, parts = split.hostname, [unquote(p) for p in split.path.split("/") if p]
    except ValueError:  # brackets that do not close
        host, parts = None, []
    if host not in ("huggingface.co", "hf.co") or len(parts) < 2:
        raise SourceError(
            f"{shown(address, 300)} is not the page of a model on the Hub. Give a repository id (owner/name), or the "
            f"path of a config.json that you have fetched.",
            local=True,
        )
    if len(parts) > 3 and parts[2] in ("blob", "tree", "resolve", "commit"):
        revision = revision or parts[3]
        if parts[-1].lower().endswith(".gguf"):
            return "/".join([*parts[:2], *parts[4:]]), revision
    return "/".join(parts[:2]), revision
