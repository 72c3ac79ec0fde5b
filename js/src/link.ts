/**
 * One part is marked everywhere that it is shown: what the pointer or the focus is on, and what is selected. Elements
 * say which part they show (`data-role`, `data-tensor`); marking them needs no redraw.
 */

export interface Part {
  role: string;
  tensor: string;
}

const partOf = (target: EventTarget | null): Part | null => {
  const el = target instanceof Element ? target.closest<HTMLElement>("[data-role]") : null;
  return el && { role: el.dataset.role ?? "", tensor: el.dataset.tensor ?? "" };
};

/** Whether an element that shows `own` is meant by `part`: a tensor marks its role's bar, a role all its tensors. */
const meant = (own: Part, part: Part | null): boolean =>
  part !== null && own.role === part.role && (!own.tensor || !part.tensor || own.tensor === part.tensor);

interface Reader {
  copy(text: string): void;
  /** a click on a picture, or on one that is zoomed into */
  pick(part: Part, zoom: boolean): void;
}

export function linkParts(root: HTMLElement, reader: Reader) {
  let hot: Part | null = null;
  let selected = "";
  let marked = false;

  function mark(): void {
    const any = hot !== null || selected !== "";
    if (!any && !marked) return;
    marked = any;
    const shown = [...root.querySelectorAll<HTMLElement>("[data-role]")];
    const named = shown.find(({ dataset }) => dataset.tensor === selected || dataset.role === selected);
    const chosen = !selected
      ? null
      : named?.dataset.tensor === selected
        ? partOf(named)
        : { role: selected, tensor: "" };
    for (const el of shown) {
      const own = { role: el.dataset.role ?? "", tensor: el.dataset.tensor ?? "" };
      el.toggleAttribute("data-hot", meant(own, hot));
      el.toggleAttribute("data-selected", meant(own, chosen));
    }
  }

  const over = (event: Event) => {
    delete root.dataset.quiet;
    const part = partOf(event.target);
    if (part?.role === hot?.role && part?.tensor === hot?.tensor) return;
    hot = part;
    mark();
  };
  const leave = () => {
    hot = null;
    mark();
  };
  // An abbreviated number gives its exact integer; Escape hides what hovering or focus shows.
  // The picture is for the eye and the pointer; the table has the same for keyboards.
  const click = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const exact = target.closest<HTMLElement>("[data-exact]")?.dataset.exact;
    if (exact) reader.copy(exact);
    const part = partOf(target);
    const picture = target.closest<HTMLElement>("[data-pick]");
    if (part && picture) reader.pick(part, picture.dataset.pick === "zoom");
  };
  const hide = ({ key }: KeyboardEvent) => {
    if (key === "Escape") root.dataset.quiet = "";
  };
  const listeners: [string, EventListener][] = [
    ["pointerover", over],
    ["pointerleave", leave],
    ["focusin", over],
    ["focusout", leave],
    ["click", click],
    ["keydown", hide as EventListener],
  ];
  for (const [name, listener] of listeners) root.addEventListener(name, listener);
  return {
    mark(part: string) {
      selected = part;
      mark();
    },
    stop() {
      for (const [name, listener] of listeners) root.removeEventListener(name, listener);
    },
  };
}
