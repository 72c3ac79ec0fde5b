/** The widget's entry: render() draws a view of a model into an element and returns how to take it down. */
import type { Model } from "./host";
import { takeKeys } from "./keys";
import { mount } from "./mount";
import { followTheme } from "./theme";
import "./theme.css";
import "./views/views.css";
import "./views/picture.css";
import "./views/ledger.css";
import "./views/panels.css";

export interface RenderProps {
  model: Model;
  el: HTMLElement;
}

function render({ model, el }: RenderProps): () => void {
  const root = el.ownerDocument.createElement("div");
  root.className = "pw-root";
  // English, also in a page that runs from right to left.
  root.dir = "ltr";
  root.lang = "en";
  el.appendChild(root);
  // Two views on a page must not share ids, and the module may be shared by them: so no counter here.
  const id = `pw-${Math.random().toString(36).slice(2, 10)}`;
  // The theme is asked of computed styles, which are cheap while nothing is drawn.
  const stops = [followTheme(root), mount(model, root, id), takeKeys(root)];
  return () => {
    for (const stop of stops) stop();
    root.remove();
  };
}

export default { render };
