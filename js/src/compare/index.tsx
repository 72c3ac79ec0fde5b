/** The entry of CompareView: render() draws models side by side into an element and returns how to take it down. */
import type { RenderProps } from "../index";
import { takeKeys } from "../keys";
import { followTheme } from "../theme";
import { mount } from "./mount";
import "../theme.css";
import "../views/views.css";
import "../views/ledger.css";
import "./compare.css";

function render({ model, el }: RenderProps): () => void {
  const root = el.ownerDocument.createElement("div");
  root.className = "pw-root";
  // English, also in a page that runs from right to left.
  root.dir = "ltr";
  root.lang = "en";
  el.appendChild(root);
  const id = `pw-${Math.random().toString(36).slice(2, 10)}`;
  const stops = [mount(model, root, id), followTheme(root), takeKeys(root)];
  return () => {
    for (const stop of stops) stop();
    root.remove();
  };
}

export default { render };
