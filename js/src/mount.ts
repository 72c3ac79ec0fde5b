/** Puts a view into a host's element: theme, focus, and keys that are the view's own. */
import type { ComponentChild } from "preact";
import { render as draw } from "preact";
import type { Model } from "./host";
import { followTheme } from "./theme";

export interface RenderProps {
  model: Model;
  el: HTMLElement;
}

/** Gives the focus back when the pointer goes elsewhere: a cell that is clicked at its edge takes it from no one. */
function release(root: HTMLElement, event: Event): void {
  const focused = (root.getRootNode() as Document | ShadowRoot).activeElement;
  if (focused instanceof HTMLElement && root.contains(focused) && !event.composedPath().includes(root))
    focused.blur();
}

/** What buttons, boxes and radios answer to. */
const KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " "]);

/** Keys that the view handles are no business of its host; with a modifier they may be (Shift+Enter runs a cell). */
function keepKeys(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (KEYS.has(event.key)) event.stopPropagation();
}

/**
 * JupyterLab takes arrows and single letters as commands on cells, unless an element on the way from the one that has
 * the focus says otherwise. Its selectors match that very element, so it has to say so itself.
 */
function suppress(el: EventTarget | null): void {
  if (el instanceof Element) el.setAttribute("data-lm-suppress-shortcuts", "true");
}

/** Draws a view into the element and returns how to take it down. `view` is given an id of its own on the page. */
export function mount(el: HTMLElement, view: (id: string) => ComponentChild): () => void {
  const root = el.ownerDocument.createElement("div");
  root.className = "pw-root";
  suppress(root);
  root.addEventListener("focusin", (event) => suppress(event.target));
  root.addEventListener("keydown", keepKeys);
  el.appendChild(root);
  const stage = root.appendChild(el.ownerDocument.createElement("div"));
  const unfollow = followTheme(root);
  // Two views on a page must not share ids, and the module may be shared by them: so no counter here.
  const page = el.ownerDocument;
  const leave = (event: Event) => release(root, event);
  page.addEventListener("pointerdown", leave, true);
  const id = `pw-${Math.random().toString(36).slice(2, 10)}`;
  draw(view(id), stage);
  return () => {
    unfollow();
    page.removeEventListener("pointerdown", leave, true);
    draw(null, stage);
    root.remove();
  };
}
