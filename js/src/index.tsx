/** The widget's entry: render() draws a view of a model into an element and returns how to take it down. */
import { render as draw } from "preact";
import type { Model } from "./host";
import { followTheme } from "./theme";
import { App } from "./views/App";
import "./theme.css";
import "./views/views.css";
import "./views/picture.css";
import "./views/ledger.css";

export interface RenderProps {
  model: Model;
  el: HTMLElement;
}

/** What buttons, boxes and radios answer to. */
const KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " "]);

/** Keys that the view handles are no business of its host; with a modifier they may be (Shift+Enter runs a cell). */
function keepKeys(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (KEYS.has(event.key)) event.stopPropagation();
}

function render({ model, el }: RenderProps): () => void {
  const root = el.ownerDocument.createElement("div");
  root.className = "pw-root";
  // JupyterLab takes arrows and single letters as commands on cells unless an element on the way says otherwise.
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("keydown", keepKeys);
  el.appendChild(root);
  const stage = root.appendChild(el.ownerDocument.createElement("div"));
  const unfollow = followTheme(root);
  // Two views on a page must not share ids, and the module may be shared by them: so no counter here.
  const id = `pw-${Math.random().toString(36).slice(2, 10)}`;
  draw(<App model={model} id={id} />, stage);
  return () => {
    unfollow();
    draw(null, stage);
    root.remove();
  };
}

export default { render };
