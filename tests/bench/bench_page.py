"""First paint after the module has loaded (budget: 100 ms; its peer: all of the view as static HTML), twenty views on a
page (95% of clicks under 32 ms), the heap after 200 display/close cycles against the heap after 20 (within 10%), and
the bytes that a notebook saves.

Each is measured in Chromium on a page that holds the bundle and nothing else; the peer of a click is a wait of as many
frames with no click.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

from ipywidgets.embed import dependency_state

import paramwidget as pw
from paramwidget.more import content
from paramwidget.wire import to_wire

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "paramwidget" / "static"
VIEWS, CLICKS = 20, 120
FEW, MANY = 20, 200
PAINTS = 9

PAGE = "<!doctype html><meta charset=utf-8><style>{css}</style><main id=views style='width:1000px'></main>"

LOAD = """async ([source, more]) => {
  globalThis.widget = (await import("data:text/javascript;base64," + source)).default;
  globalThis.make = (data) => {
    const state = {data, basis: "active", off: [], on: [], claim: null}, heard = {};
    return {
      get: (k) => state[k], save_changes() {}, send() {},
      widget_manager: {get_model: async () => ({get: (k) => more[k]})},
      set(k, v) { state[k] = v; (heard["change:" + k] || []).forEach((f) => f()); },
      on(k, f) { (heard[k] ??= []).push(f); },
      off(k, f) { heard[k] = (heard[k] || []).filter((g) => g !== f); },
    };
  };
  globalThis.frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

# The browser's own time of its first contentful paint, and when all of the view is painted. `data` is a model's, or the
# HTML of what the same model's view had drawn, which is the least that any view of these elements could take.
FIRST = """async (data) => {
  await new Promise((done) => setTimeout(done, 100));
  const painted = new Promise((done) => new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
  }).observe({type: "paint", buffered: true}));
  const el = document.getElementById("views").appendChild(document.createElement("div"));
  const start = performance.now();
  if (typeof data === "string") el.innerHTML = data;
  else widget.render({model: make(data), el});
  const first = await painted;
  while (el.querySelector(".pw-panel:empty")) await new Promise((done) => setTimeout(done));
  await frames();
  return {first: first - start, whole: performance.now() - start, html: el.innerHTML};
}"""

SHOW = """async (data) => {
  const el = document.getElementById("views").appendChild(document.createElement("div"));
  widget.render({model: make(data), el});
  while (el.querySelector(".pw-panel:empty")) await new Promise((done) => setTimeout(done));
  await frames();
}"""

CLICK = """async (clicks) => {
  const boxes = [...document.querySelectorAll("#views > div")].map((el) => el.querySelector("input[type=checkbox]"));
  const times = {click: [], nothing: []};
  for (let i = 0; i < clicks; i++) {
    await frames();
    let start = performance.now();
    await frames();
    times.nothing.push(performance.now() - start);
    start = performance.now();
    boxes[i % boxes.length].click();
    await frames();
    times.click.push(performance.now() - start);
  }
  return times;
}"""

CYCLES = """async ([data, cycles]) => {
  for (let i = 0; i < cycles; i++) {
    const el = document.getElementById("views").appendChild(document.createElement("div"));
    const stop = widget.render({model: make(data), el});
    while (el.querySelector(".pw-panel:empty")) await new Promise((done) => setTimeout(done));
    el.querySelector("input[type=checkbox]").click();
    await frames();
    stop();
    el.remove();
  }
}"""


def at(share: float, times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main() -> None:
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    from chromium import chromium

    source = base64.b64encode((STATIC / "widget.js").read_bytes()).decode()
    css = (STATIC / "widget.css").read_text(encoding="utf-8")
    wires = {name: json.loads(json.dumps(to_wire(pw.count(name)))) for name in pw.catalog()}
    largest = max(wires, key=lambda name: len(json.dumps(wires[name])))
    gpt_oss = wires["openai/gpt-oss-120b"]

    def first_paint(browser: Any, data: Any) -> dict[str, Any]:
        page = browser.new_page(viewport={"width": 1040, "height": 800})
        page.set_content(PAGE.format(css=css))
        page.evaluate(LOAD, [source, content()])
        paint: dict[str, Any] = page.evaluate(FIRST, data)
        page.close()
        return paint

    with chromium() as browser:
        for name in ("openai/gpt-oss-120b", largest):
            own: list[dict[str, Any]] = []
            peer: list[dict[str, Any]] = []
            for _ in range(PAINTS):
                own.append(first_paint(browser, wires[name]))
                peer.append(first_paint(browser, own[0]["html"]))
            first, whole = [p["first"] for p in own], [p["whole"] for p in own]
            slower = at(0.5, first) / at(0.5, [p["first"] for p in peer])
            print(
                f"{name:24} first paint {at(0.5, first):.0f} ms after the module has loaded, the quickest of {PAINTS} "
                f"{min(first):.0f} ms (budget 100), {slower:.2f} × of all of it as static HTML; "
                f"the whole {at(0.5, whole):.0f} ms"
            )

        page = browser.new_page(viewport={"width": 1040, "height": 800})
        page.set_content(PAGE.format(css=css))
        page.evaluate(LOAD, [source, content()])
        for name in list(wires)[:: len(wires) // VIEWS][:VIEWS]:
            page.evaluate(SHOW, wires[name])
        times = page.evaluate(CLICK, CLICKS)
        most, idle = at(0.95, times["click"]), at(0.95, times["nothing"])
        print(
            f"{VIEWS} views on a page: a click to the frame after the next, 95% {most:.1f} ms (no click {idle:.1f} ms)"
        )
        page.close()

        page = browser.new_page(viewport={"width": 1040, "height": 800})
        page.set_content(PAGE.format(css=css))
        page.evaluate(LOAD, [source, content()])
        devtools = page.context.new_cdp_session(page)

        def heap() -> int:
            for _ in range(3):
                devtools.send("HeapProfiler.collectGarbage")
            return int(devtools.send("Runtime.getHeapUsage")["usedSize"])

        page.evaluate(CYCLES, [gpt_oss, FEW])
        few = heap()
        page.evaluate(CYCLES, [gpt_oss, MANY - FEW])
        many = heap()
        page.evaluate(CYCLES, [gpt_oss, MANY])
        twice = heap()
        print(
            f"heap after {MANY} display/close cycles {many / few:.3f} × of after {FEW} ({many:,} and {few:,} bytes),"
            f" after {2 * MANY} {twice / many:.3f} × of that"
        )
        page.close()

    for count in (1, VIEWS):
        views = [pw.ParamView("openai/gpt-oss-120b") for _ in range(count)]
        saved = len(json.dumps(dependency_state(views, drop_defaults=False)).encode())
        print(f"{count:2} views in a notebook: {saved:,} bytes are saved, {saved // count:,} a view")
        for view in views:
            view.close()
    state = pw.ParamView("openai/gpt-oss-120b").get_state()
    data = {key: value for key, value in state.items() if key not in ("_esm", "_css")}
    print(f"the state of one without its module and style sheet: {len(json.dumps(data).encode()):,} bytes")


if __name__ == "__main__":
    main()
