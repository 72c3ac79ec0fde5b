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

function render({ model, el }: RenderProps): () => void {
  const root = el.ownerDocument.createElement("div");
  root.className = "pw-root";
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
