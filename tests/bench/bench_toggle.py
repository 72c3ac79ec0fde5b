"""From a click on a toggle to the painted frame, with no kernel; budget: 16 ms at the 95th percentile.

A page holds the bundle, a model of the notebook's kind and nothing else. Each click is followed to the frame after the
next, when what it changed has been painted; the peer is the same wait with no click, so that the ratio is what the
view itself costs.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import paramwidget as pw
from paramwidget.wire import to_wire

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "paramwidget" / "static"
CLICKS = 120

PAGE = """<!doctype html><meta charset=utf-8><style>{css}</style><div id=view style="width:1000px"></div>"""

START = """async ([source, data]) => {
  const state = {data, basis: "active", off: [], on: [], claim: null}, heard = {};
  const model = {
    get: (k) => state[k], save_changes() {}, send() {},
    set(k, v) { state[k] = v; (heard["change:" + k] || []).forEach((f) => f()); },
    on(k, f) { (heard[k] ??= []).push(f); },
    off(k, f) { heard[k] = (heard[k] || []).filter((g) => g !== f); },
  };
  const widget = (await import("data:text/javascript;base64," + source)).default;
  widget.render({model, el: document.getElementById("view")});
}"""

MEASURE = """async (clicks) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = document.querySelector("#view input[type=checkbox]");
  const times = {click: [], nothing: [], work: []};
  for (let i = 0; i < clicks; i++) {
    await frame();
    let start = performance.now();
    await frame();
    times.nothing.push(performance.now() - start);
    start = performance.now();
    box.click();
    await Promise.resolve();
    document.body.offsetHeight;
    times.work.push(performance.now() - start);
    await frame();
    times.click.push(performance.now() - start);
  }
  return times;
}"""


def at(share: float, times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main() -> None:
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    from chromium import chromium

    largest = max(pw.catalog(), key=lambda name: len(pw.count(name).tensors))
    source = base64.b64encode((STATIC / "widget.js").read_bytes()).decode()
    css = (STATIC / "widget.css").read_text(encoding="utf-8")
    print(
        f"{CLICKS} clicks each, from the click to the frame after the next, against the same wait with no click"
    )
    with chromium() as browser:
        for name in ("openai/gpt-oss-120b", largest):
            page = browser.new_page(viewport={"width": 1040, "height": 800})
            page.set_content(PAGE.format(css=css))
            page.evaluate(START, [source, json.loads(json.dumps(to_wire(pw.count(name))))])
            page.wait_for_selector("#view input[type=checkbox]")
            page.get_by_role("button", name="all").first.click()  # every tensor open
            times = page.evaluate(MEASURE, CLICKS)
            half, most = at(0.5, times["click"]), at(0.95, times["click"])
            peer = at(0.5, times["nothing"])
            work, worst = at(0.5, times["work"]), at(0.95, times["work"])
            print(
                f"{name:32} median {half:5.1f} ms  95% {most:5.1f} ms  {half / peer:.2f} × of two empty frames "
                f"({peer:.1f} ms); script and layout {work:.1f} ms, 95% {worst:.1f} ms"
            )
            page.close()


if __name__ == "__main__":
    main()
