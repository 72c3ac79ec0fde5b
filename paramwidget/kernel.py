"""What the browser asks the kernel for: messages with ``do``, answered by ``data`` in place, or by a message.

``{do: "check"}`` reads the headers of the model's files in the background. While it runs, ``{kind: "progress", done,
total, text}`` is sent; at the end ``data`` has the residual, or ``{kind: "error", text}`` says why not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from .breakdown import Breakdown
from .counting import count
from .errors import ParamWidgetError, SourceError, shown


def answer(view: Any, content: Any, buffers: Any = None) -> None:
    """Answer one message of the browser; what it cannot do is answered by an error."""
    if not isinstance(content, dict) or "do" not in content:
        return  # what anywidget says to itself
    if content["do"] == "check":
        _in_background(view, lambda progress: checked(view.breakdown, view.token, progress))
    else:
        view.send({"kind": "error", "text": f"The kernel does not know how to do {shown(content['do'])}."})


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


def _in_background(view: Any, work: Callable[[Callable[[int, int, str], None]], Breakdown]) -> None:
    """Run ``work`` beside the kernel's loop, and show what it returns; without a loop, at once."""

    def failed(error: Exception) -> None:
        known = isinstance(error, ParamWidgetError)
        text = str(error) if known else f"The check ended in an error of its own ({type(error).__name__})."
        view.send({"kind": "error", "text": text})

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        try:
            view.show(work(lambda done, total, text: None))
        except ParamWidgetError as e:
            failed(e)
        except Exception as e:
            failed(e)
            raise
        return

    def progress(done: int, total: int, text: str) -> None:
        loop.call_soon_threadsafe(view.send, {"kind": "progress", "done": done, "total": total, "text": text})

    async def run() -> None:
        try:
            view.show(await loop.run_in_executor(None, work, progress))
        except ParamWidgetError as e:
            failed(e)
        except Exception as e:  # or the browser would wait for ever
            failed(e)
            raise

    task = loop.create_task(run())
    _RUNNING.add(task)  # a task that nothing refers to may be collected before it ends
    task.add_done_callback(_RUNNING.discard)


_RUNNING: set[asyncio.Task[None]] = set()
