/** Which keys are the view's and which the host's: JupyterLab takes arrows and letters as commands on cells. */

const SUPPRESS = "data-lm-suppress-shortcuts";

/** What buttons, boxes, radios and tabs answer to. */
const OURS = new Set([
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Enter",
  " ",
  "Home",
  "End",
  "Escape",
]);

const modified = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (shiftKey && key.length > 1);

/**
 * Keeps a plain key inside the view and lets one with a modifier (Ctrl+S, Shift+Enter) through to the host. Lab asks
 * the very element that has the focus, and from the document's capture phase: so it is told one step before.
 */
export function takeKeys(root: HTMLElement): () => void {
  const page = root.ownerDocument;
  const host = page.defaultView ?? page;
  const before = (event: Event) => {
    const [target] = event.composedPath();
    if (!(target instanceof Element) || !root.contains(target)) return;
    target.toggleAttribute(SUPPRESS, !modified(event as KeyboardEvent));
  };
  const keep = (event: KeyboardEvent) => {
    if (!modified(event) && OURS.has(event.key)) event.stopPropagation();
  };
  /** Gives the focus back when the pointer goes elsewhere: a cell that is clicked at its edge takes it from no one. */
  const release = (event: Event) => {
    const focused = (root.getRootNode() as Document | ShadowRoot).activeElement;
    if (focused instanceof HTMLElement && root.contains(focused) && !event.composedPath().includes(root))
      focused.blur();
  };
  host.addEventListener("keydown", before, true);
  root.addEventListener("keydown", keep);
  page.addEventListener("pointerdown", release, true);
  return () => {
    host.removeEventListener("keydown", before, true);
    page.removeEventListener("pointerdown", release, true);
  };
}
