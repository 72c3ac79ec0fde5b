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

/**
 * How an element that shows `own` is meant by `part`: as that very part, or "in" it or around it: a tensor marks its
 * role too, a role all its tensors.
 */
function meant(own: Part, part: Part | null): "" | "in" | null {
  if (own.role !== part?.role || (own.tensor && part.tensor && own.tensor !== part.tensor)) return null;
  return own.tensor === part.tensor ? "" : "in";
}

function setMark(el: Element, name: string, how: string | null) {
  if (how === null) el.removeAttribute(name);
  else el.setAttribute(name, how);
}

interface Reader {
  copy(text: string): void;
  /** a click on a picture, or on one that is zoomed into */
  pick(part: Part, zoom: boolean): void;
}

export function linkParts(root: HTMLElement, reader: Reader) {
  let hot: Part | null = null;
  let chosen: Part | null = null;
  let marked = false;

  function mark(): void {
    const any = hot !== null || chosen !== null;
    if (!any && !marked) return;
    marked = any;
    for (const el of root.querySelectorAll<HTMLElement>("[data-role]")) {
      const own = { role: el.dataset.role ?? "", tensor: el.dataset.tensor ?? "" };
      setMark(el, "data-hot", meant(own, hot));
      setMark(el, "data-selected", meant(own, chosen));
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
  // The picture is for the eye and the pointer; the table has the same for keyboards: each tensor's name is a button.
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
    mark(part: Part | null) {
      chosen = part;
      mark();
    },
    stop() {
      for (const [name, listener] of listeners) root.removeEventListener(name, listener);
    },
  };
}
