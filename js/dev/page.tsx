/** Runs the widget in a plain page with JupyterLab's own values of its theme variables. */

import { createModel } from "../src/host";
import widget from "../src/index";
import "../test/setup";
import * as fixtures from "../test/fixtures";

const query = new URLSearchParams(location.search);
const list = (name: string) => query.get(name)?.split(",").filter(Boolean) ?? [];
const theme = query.get("theme");
if (theme && theme !== "none") document.body.setAttribute("data-jp-theme-light", String(theme !== "dark"));

const models: Record<string, () => unknown> = fixtures;
const given = (globalThis as { PARAMWIDGET_DATA?: unknown }).PARAMWIDGET_DATA;
// `?file=` shows wire data that Python wrote into dev/out.
const file = query.get("file");
const written = file && (await (await fetch(`out/${file}`)).json());
const data = given ?? written?.wire ?? models[query.get("model") ?? "gptOss"]?.();
const model = createModel(
  {
    data,
    basis: query.get("basis") ?? "active",
    off: list("off"),
    on: list("on"),
    claim: query.get("claim"),
    view: query.get("view") ?? "bridge",
    selected: query.get("selected"),
  },
  (changed) => console.log("saved", JSON.stringify(changed)),
);
const el = document.getElementById("view");
if (el) widget.render({ model, el });
for (const role of list("open"))
  for (const button of document.querySelectorAll<HTMLElement>(`tbody[data-role="${role}"] .pw-name`))
    button.click();
