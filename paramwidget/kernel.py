"""What the browser asks the kernel for: messages with ``do``, answered by ``data`` in place, or by a message.

``{do: "here"}`` asks whether there is a kernel, and is answered ``{kind: "here"}``. ``{do: "catalog"}`` asks for the
bundled models, ``{kind: "catalog", models: [[id, stored, active, facts], ...]}``. ``{do: "more"}`` asks for the second
module, ``{kind: "more", text, grammar}``, where the host does not find the model that holds it. ``{do: "open",
source}`` counts another model, ``{do: "check"}`` reads the headers of the model's files; both in the background.
While they run, ``{kind: "progress", do, done, total, text}`` is sent; at the end ``data`` has the model or the
residual, or ``{kind: "error", do, text}`` says why not.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cache
from itertools import count as count_up
from typing import Any
from weakref import WeakKeyDictionary

from .breakdown import Breakdown
from .counting import count
from .errors import ParamWidgetError, SourceError, shown
from .more import content as second_module
from .sources.catalog import catalog
from .wire import facts


def answer(view: Any, content: Any, buffers: Any = None) -> None:
    """Answer one message of the browser; what it cannot do is answered by an error."""
    if not isinstance(content, dict) or "do" not in content:
        return  # what anywidget says to itself
    do, source = content["do"], content.get("source")
    if do == "here":
        view.send({"kind": "here"})
    elif do == "catalog":
        view.send({"kind": "catalog", "models": bundled()})
    elif do == "more":
        view.send({"kind": "more", **second_module()})
    elif do == "check":
        _in_background(view, do, lambda progress: checked(view.breakdown, view.token, progress))
    elif do == "open" and isinstance(source, str):
        _in_background(view, do, lambda progress: opened(source, view.token))
    else:
        view.send({"kind": "error", "do": do, "text": f"The kernel does not know how to do {shown(do)}."})


@cache
def bundled() -> list[list[Any]]:
    """Each bundled model as ``[id, stored, active, "36 layers, 4 of 128 experts"]``."""
    counted = [(name, count(name)) for name in catalog()]
    return [[name, b.stored, b.active, ", ".join(facts(b))] for name, b in counted]


def opened(source: str, token: str | bool | None = None) -> Breakdown:
    """What was picked or pasted: a repository id, a path, or the text of a config.json."""
    text = source.strip()
    if not text.startswith("{"):
        return count(text, token=token)
    try:
        config = json.loads(text)
    except ValueError as e:
        raise SourceError(f"The pasted config is not JSON: {e}. Paste the whole of a config.json.") from None
    return count(config)


def checked(
    b: Breakdown, token: str | bool | None = None, progress: Callable[[int, int, str], None] | None = None
) -> Breakdown:
    """The same model, its config and its headers read at one commit.

    Raises SourceError for a model that has no files: a config given as data, a live module.
    """
    p = b.provenance
    source = p.path or p.repo
    if source is None:
        raise SourceError(
            f"{b.model}: it was not read from a repository or a folder, so it has no files to check."
        )
    return count(
        source, revision=p.revision if p.kind == "hub" else None, token=token, check=True, progress=progress
    )


def _in_background(view: Any, do: str, work: Callable[[Callable[[int, int, str], None]], Breakdown]) -> None:
    """Run ``work`` beside the kernel's loop and show what it returns, unless what was asked for later is there.

    Without a loop it runs at once.
    """
    mine = next(_ASKED)

    def failed(error: Exception) -> None:
        # the words of another library may have an address that is signed, or a token
        other = f"That ended in an error which nobody foresaw ({type(error).__name__})."
        text = str(error) if isinstance(error, ParamWidgetError) else other
        view.send({"kind": "error", "do": do, "text": text})

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        try:
            view.show(work(lambda done, total, text: None))
        except Exception as e:
            failed(e)
            if not isinstance(e, ParamWidgetError):
                raise
        return

    def now(done: int, total: int, text: str) -> dict[str, Any]:
        return {"kind": "progress", "do": do, "done": done, "total": total, "text": text}

    def progress(done: int, total: int, text: str) -> None:
        loop.call_soon_threadsafe(view.send, now(done, total, text))

    async def run() -> None:
        try:
            found = await loop.run_in_executor(None, work, progress)
        except Exception as e:  # whatever it is, the reader is waiting for an answer
            if _SHOWN.get(view, -1) < mine:
                failed(e)
            if not isinstance(e, ParamWidgetError):
                raise
        else:
            if _SHOWN.get(view, -1) < mine:
                _SHOWN[view] = mine
                view.show(found)

    # The browser learns at once that somebody is at work.
    view.send(now(0, 0, "Reading"))
    task = loop.create_task(run())
    _RUNNING.add(task)  # a task that nothing refers to may be collected before it ends
    task.add_done_callback(_RUNNING.discard)


_RUNNING: set[asyncio.Task[None]] = set()
#: what is asked for has a number, and each view that of what it shows
_ASKED = count_up()
_SHOWN: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
