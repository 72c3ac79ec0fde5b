/** One view of one model: its state, and drawing it again when that changes. */
import { chosenClaims } from "./claims";
import { type Child, flat, h, patch, type VNode } from "./dom";
import { fitLabels } from "./fit";
import { integer } from "./format";
import type { Model } from "./host";
import { type Bundled, Kernel } from "./kernel";
import { bring, more } from "./later";
import { linkParts, type Part } from "./link";
import { say } from "./say";
import { type Scene, START, type Ui } from "./scene";
import { flip, total } from "./sum";
import { conventionOf, Traits } from "./traits";
import { App } from "./views/App";
import { Later } from "./views/bits";
import type { PickerProps } from "./views/Picker";
import { readCatalog, readWire, type Wire } from "./wire";

// How long a copy is confirmed.
const COPIED_MS = 2500;

/** Whether a view is near what the window shows; where the browser cannot tell, it is. */
const seen = (stage: Element): boolean => stage.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;

/** Does something in a task after the next paint; returns how to stop it. */
function afterPaint(then: () => void): () => void {
  let task: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    task = setTimeout(then);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}

/** Draws into `root` until the returned function is called. */
export function mount(model: Model, root: HTMLElement, id: string): () => void {
  const stage = root.appendChild(root.ownerDocument.createElement("div"));
  let drawn: VNode[] = [];
  let ui: Ui = START;
  let data: unknown = root;
  let wire: Wire | string = "";
  // What comes in the place of a model where none is chosen yet.
  let bundled: Bundled[] | undefined;
  // The claim that was looked at last.
  let asked: string | null = null;
  // Said once when it changes, and not when the view first appears.
  let said = "";
  let counted = "";
  let queued = false;
  let stopped = false;
  // The open view is below what is read first: it comes once that is painted.
  let painted = false;
  let late: ReturnType<typeof setTimeout> | undefined;
  let confirmed: ReturnType<typeof setTimeout> | undefined;

  const redraw = () => {
    if (!queued) queueMicrotask(() => queued && draw());
    queued = true;
  };
  const set = (next: Partial<Ui>) => {
    ui = { ...ui, ...next };
    redraw();
  };
  const traits = new Traits(model, redraw);
  const line = { alive: false };
  const kernel = new Kernel(model, redraw, "open", line);
  const checker = new Kernel(model, redraw, "check", line);

  function copy(text: string): void {
    clearTimeout(confirmed);
    const done = (copied: string, refused: string) => {
      said = copied ? `Copied ${copied}` : say("no_copying");
      set({ copied, refused });
      confirmed = setTimeout(() => set({ copied: "" }), COPIED_MS);
    };
    // Frames often may not write to the clipboard: the text is then shown, to be copied by hand.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => done(text, ""),
        () => done("", text),
      );
  }

  function sceneOf(known: Wire): Scene {
    const choice = traits.now;
    const now = conventionOf(choice);
    const claims = chosenClaims(known, choice.claim, now.basis);
    return {
      id,
      wire: known,
      now,
      total: total(known, now),
      claims,
      claim: claims[0] ?? null,
      choice,
      kernel,
      checker,
      ui,
      set,
      choose(next) {
        if ("claim" in next) set({ unread: "" });
        traits.choose(next);
      },
      // Two clicks may come before one redraw: the second must build on the first.
      flip: (key) => traits.choose(flip(known, conventionOf(traits.now), key)),
      copy,
      root,
    };
  }

  function draw(anyway = false): void {
    queued = false;
    if (stopped) return;
    // What nobody sees now comes after what somebody sees.
    if (drawn.length > 0 && !anyway && !seen(stage)) {
      late ??= setTimeout(draw, 0, true);
      return;
    }
    clearTimeout(late);
    late = undefined;
    // What was asked from the keyboard: the focus stays in the view when the box that had it is gone.
    const focused = stage.querySelector<HTMLElement>(".pw-picker :focus");
    const { claim } = traits.now;
    if (claim !== asked) ui = { ...ui, unread: "" };
    asked = claim;
    if (model.get("data") !== data) {
      if (data !== root) for (const each of [kernel, checker]) each.finish();
      data = model.get("data");
      const catalog = (data as { catalog?: unknown } | null)?.catalog;
      bundled = Array.isArray(catalog) ? readCatalog(catalog) : undefined;
      wire = readWire(data);
      if (bundled) wire = "";
      const { open, zoom, from, picking, sought, query, sort, unread, unsaved } = START;
      ui = { ...ui, open, zoom, from, picking, sought, query, sort, unread, unsaved };
      counted = "";
    }
    const empty = typeof wire === "string";
    const scene = empty ? null : sceneOf(wire as Wire);
    if (scene) {
      const message = `${integer(scene.total)} parameters, ${scene.now.basis}`;
      if (counted && counted !== message) said = message;
      counted = message;
    }
    const next = flat([
      scene ? (
        <App scene={scene} whole={painted} />
      ) : (
        <Nothing why={wire as string} picker={{ bundled, kernel, id, ui, set }} />
      ),
      <output class="pw-hidden" aria-live="polite" data-pw-live="">
        {said}
      </output>,
    ]);
    patch(stage, drawn, next);
    drawn = next;
    if (focused && !focused.isConnected) stage.querySelector("button")?.focus();
    parts.mark(selectedPart());
    labels.measure();
  }

  /** What is selected, by its role: a tensor's own row may not be shown. */
  function selectedPart(): Part | null {
    const { selected } = traits.now;
    if (!selected) return null;
    const tensor = typeof wire !== "string" && wire.tensors.find(({ name }) => name === selected);
    return tensor ? { role: tensor.role, tensor: selected } : { role: selected, tensor: "" };
  }

  const parts = linkParts(root, {
    copy,
    pick({ role, tensor }, zoom) {
      const part = tensor || role;
      if (zoom && !ui.zoom) set({ zoom: role, open: new Set(ui.open).add(role) });
      else traits.choose({ selected: traits.now.selected === part ? null : part });
    },
  });
  const labels = fitLabels(root);
  // Followed before the first read: it is drawn once, with whatever following has changed.
  const stops = [traits.follow(), kernel.follow(), checker.follow(), parts.stop, labels.stop];
  kernel.ask({ do: "here" });
  model.on("change:data", redraw);
  draw();
  let stopWaiting = afterPaint(() => {
    painted = true;
    draw();
    stopWaiting = afterPaint(() => {
      stopWaiting = bring(model, redraw);
    });
  });
  return () => {
    stopped = true;
    clearTimeout(confirmed);
    clearTimeout(late);
    stopWaiting();
    for (const stop of stops) stop();
    model.off("change:data", redraw);
    patch(stage, drawn, []);
  };
}

/** What is there without a model: the picker, or why the data cannot be shown. */
const Nothing = ({ why, picker }: { why: string; picker: PickerProps }): Child =>
  why ? (
    <p class="pw-message" role="status">
      {why}
    </p>
  ) : (
    <section class="pw-view" aria-label="Parameters of a model">
      <h3 class="pw-model">Which model?</h3>
      {more ? <more.Picker {...picker} /> : <Later />}
    </section>
  );
