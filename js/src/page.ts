/** The entry of an exported page: the widget in a host of its own, with no kernel, no request and no module loader. */
import { createModel } from "./host";
import widget from "./index";
import { provide } from "./later";
import * as more from "./more";

const state = document.getElementById("pw-state")?.textContent;
const view = document.getElementById("pw-view");
const table = document.querySelector<HTMLDetailsElement>("#pw-table");

if (state && view) {
  const { grammar, ...traits } = JSON.parse(state);
  provide(more, grammar);
  widget.render({ model: { ...createModel(traits), send: undefined }, el: view });
  // The table is what readers without scripts have, and what is printed; here it is a second form of the same.
  if (table) {
    table.open = false;
    let was = false;
    addEventListener("beforeprint", () => {
      was = table.open;
      table.open = true;
    });
    addEventListener("afterprint", () => {
      table.open = was;
    });
  }
}
