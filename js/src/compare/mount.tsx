/** Models side by side: the state of the view, and drawing it again when that changes. */
import { type Child, flat, h, patch, type VNode } from "../dom";
import { integer } from "../format";
import type { Model } from "../host";
import { conventionOf, Traits } from "../traits";
import { Controls } from "./Controls";
import { Differences } from "./Differences";
import { Models } from "./Models";
import { Parts } from "./Parts";
import { rowsOf, sorted } from "./rows";
import type { View } from "./view";
import { readCompareWire } from "./wire";

const sortOf = (model: Model): string => {
  const sort = model.get("sort");
  return typeof sort === "string" ? sort : "";
};

/** Draws into `root` until the returned function is called. */
export function mount(model: Model, root: HTMLElement, id: string): () => void {
  const stage = root.appendChild(root.ownerDocument.createElement("div"));
  let drawn: VNode[] = [];
  let data: unknown = root;
  let wire: ReturnType<typeof readCompareWire> = "";
  let sort = sortOf(model);
  // Said once when it changes, and not when the view first appears.
  let said = "";
  let counted = "";
  let queued = false;
  let stopped = false;

  const redraw = () => {
    if (!queued) queueMicrotask(draw);
    queued = true;
  };
  const traits = new Traits(model, redraw);
  const follow = () => {
    sort = sortOf(model);
    redraw();
  };
  const setSort = (next: string) => {
    sort = next;
    redraw();
    // A kernel that is gone must not keep the reader from sorting.
    try {
      model.set("sort", next);
      model.save_changes();
    } catch (error) {
      console.warn("paramwidget: the order could not be told to the kernel.", error);
    }
  };

  function view(): Child {
    if (typeof wire === "string")
      return (
        <p class="pw-message" role="status">
          {wire}
        </p>
      );
    const now = conventionOf(traits.now);
    const rows = sorted(rowsOf(wire, now), sort);
    const given: View = { id, wire, now, rows, sort, setSort };
    const totals = rows.slice(0, 4).map((row) => `${row.model.short} ${integer(row.total)}`);
    const message = `${now.basis}: ${totals.join(", ")}`;
    if (counted && counted !== message) said = message;
    counted = message;
    return (
      <section
        class="pw-view pw-compare"
        aria-label={`Parameters of ${wire.models.length} models, side by side`}
      >
        <Controls
          view={given}
          choose={(next) => traits.choose(next)}
          latest={() => conventionOf(traits.now)}
        />
        <Models view={given} />
        <Parts view={given} />
        <Differences view={given} />
      </section>
    );
  }

  function draw(): void {
    queued = false;
    if (stopped) return;
    if (model.get("data") !== data) {
      data = model.get("data");
      wire = readCompareWire(data);
      counted = "";
    }
    const next = flat([
      view(),
      <output class="pw-hidden" aria-live="polite">
        {said}
      </output>,
    ]);
    patch(stage, drawn, next);
    drawn = next;
  }

  draw();
  // What changed between the first read and now would otherwise be missed.
  const unfollow = traits.follow();
  model.on("change:sort", follow);
  model.on("change:data", redraw);
  follow();
  return () => {
    stopped = true;
    unfollow();
    model.off("change:sort", follow);
    model.off("change:data", redraw);
    patch(stage, drawn, []);
  };
}
