"""The widget in a page of its own: the bundle, a model of the notebook's kind, JupyterLab's colours, nothing else."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from paramwidget.more import content

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "paramwidget" / "static"

#: the variables of JupyterLab 4's two themes that the style sheet reads
LAB = {
    "light": "--jp-layout-color0:#fff;--jp-layout-color1:#fff;--jp-ui-font-color1:rgba(0,0,0,.87);"
    "--jp-ui-font-color2:rgba(0,0,0,.54);--jp-border-color1:#bdbdbd;--jp-border-color2:#e0e0e0;"
    "--jp-brand-color1:#1976d2",
    "dark": "--jp-layout-color0:#111;--jp-layout-color1:#212121;--jp-ui-font-color1:rgba(255,255,255,.87);"
    "--jp-ui-font-color2:rgba(255,255,255,.54);--jp-border-color1:#616161;--jp-border-color2:#424242;"
    "--jp-brand-color1:#2196f3",
}

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>paramwidget</title>
<style>{css}
body {{ margin: 0; background: var(--jp-layout-color0); color: var(--jp-ui-font-color1); {colours} }}</style>
<body data-jp-theme-light="{light}"><main><h1>Notebook</h1><h2>Cell</h2><div id="view"></div></main>"""

#: ends when the second module is there
BROUGHT = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const brought = Symbol.for("paramwidget.more");
  while (!globalThis[brought]) await frame();
  await Promise.all(globalThis[brought].values());
  await frame();
}"""

#: draws a view; what it sends to the kernel is in ``sent``, and ``say`` is the kernel
START = """async ([source, state, more, held]) => {
  const heard = {}, sent = [];
  const tell = (name, ...args) => (heard[name] || []).forEach((f) => f(...args));
  window.model = {
    sent, get: (k) => state[k], save_changes() {}, send: (m) => sent.push(m), say: (m) => tell("msg:custom", m),
    widget_manager: {
      get_model: async () => {
        if (held) await new Promise((done) => { window.release = done; });
        return { get: (k) => more[k] };
      },
    },
    set(k, v) { state[k] = v; tell("change:" + k); },
    on(k, f) { (heard[k] ??= []).push(f); },
    off(k, f) { heard[k] = (heard[k] || []).filter((g) => g !== f); },
  };
  const { default: widget } = await import("data:text/javascript;base64," + source);
  window.stop = widget.render({ model: window.model, el: document.getElementById("view") });
  const there = () => !document.querySelector(".pw-panel:empty") && (!held || window.release);
  while (!there()) await new Promise((done) => setTimeout(done));
  if (more && !held) await (BROUGHT)();
}""".replace("BROUGHT", BROUGHT)


def show(
    browser: Browser,
    data: dict[str, Any],
    *,
    width: int = 900,
    theme: str = "light",
    bundle: str = "widget",
    held: bool = False,
    **traits: Any,
) -> Page:
    """A page with one view, drawn; what goes wrong in it fails the test that reads ``page.errors``.

    The second module is there, or, ``held``, comes when the page calls ``release()``.
    """
    page = browser.new_page(viewport={"width": width, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.errors = errors  # type: ignore[attr-defined]
    css = (STATIC / f"{bundle}.css").read_text(encoding="utf-8")
    page.set_content(PAGE.format(css=css, colours=LAB[theme], light=str(theme == "light").lower()))
    source = base64.b64encode((STATIC / f"{bundle}.js").read_bytes()).decode()
    state = {"data": data, "basis": "active", "off": [], "on": [], "claim": None, "view": "bridge"}
    more = content() if bundle == "widget" else None
    page.evaluate(START, [source, json.loads(json.dumps({**state, "selected": None, **traits})), more, held])
    return page
