/**
 * The second module (more.ts), brought after the first paint. Its text is a trait of a model that all views of a notebook
 * refer to, so that it is saved once; a host that cannot find that model has it from the kernel. Nothing waits for it but
 * what it does.
 */
import * as core from "./core";
import type { Model } from "./host";
import { say } from "./say";

export type More = typeof import("./more");

/** Null until it is there. */
export let more: More | null = null;

// How long a host may look for the model until the kernel is asked as well, as some look for ever; and until it is
// said that neither has it.
const SOON_MS = 500;
const LATE_MS = 4000;

let waiting = "coming";
let wanted = false;
const asking = new Set<() => void>();

/** What is said in the place of what needs it. `again` is done once there is more to say, or it is there. */
export function meanwhile(again?: () => void): string {
  wanted = true;
  if (again) asking.add(again);
  return say(waiting);
}

export function provide(found: More, grammar: unknown): void {
  found.learnGrammar(grammar);
  more = found;
}

interface Given {
  text: string;
  grammar: unknown;
}
type Module = { default(lent: typeof core): More };

const KEY = Symbol.for("paramwidget.more");
const page = globalThis as { [KEY]?: Map<string, Promise<Module>> };

/** The module of a text, once for all widgets of a page, in the way in which anywidget loads their own modules. */
function load(text: string): Promise<Module> {
  page[KEY] ??= new Map();
  let found = page[KEY].get(text);
  if (!found) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    found = import(/* @vite-ignore */ url).finally(() => URL.revokeObjectURL(url)) as Promise<Module>;
    page[KEY].set(text, found);
  }
  return found;
}

async function shared(model: Model): Promise<Given> {
  const id = String(model.get("more")).replace(/^\w+[_:](?=[^_:]+$)/, "");
  const other = await model.widget_manager?.get_model(id);
  const text = other?.get("text");
  if (typeof text !== "string" || !text) throw Error("the model that is referred to is not here");
  return { text, grammar: other?.get("grammar") };
}

/**
 * Brings the second module, from where a host has it or from the kernel, whichever is first; calls back when there is
 * something else to say where it was missed. Returns how to stop.
 */
export function bring(model: Model, changed: () => void): () => void {
  const tell = () => {
    const all = [...asking];
    asking.clear();
    for (const again of all) again();
    if (wanted) changed();
  };
  const missing = () => {
    waiting = "no_more";
    tell();
  };
  const take = async ({ text, grammar }: Given) => {
    const made = await load(text);
    if (!more) provide(made.default(core), grammar);
    stop();
    tell();
  };
  const heard = (content: unknown) => {
    const { kind, ...given } = (content ?? {}) as Given & { kind?: unknown };
    if (kind === "more")
      take(given).catch((error) =>
        console.warn("paramwidget: a part of the view could not be loaded.", error),
      );
  };
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    model.on("msg:custom", heard);
    try {
      model.send?.({ do: "more" });
    } catch {
      // A kernel that is gone: it is said below.
    }
  };
  const timers = [setTimeout(ask, SOON_MS), setTimeout(missing, LATE_MS)];
  const stop = () => {
    asked = true;
    for (const timer of timers) clearTimeout(timer);
    model.off("msg:custom", heard);
  };
  if (more) {
    stop();
    tell();
  } else
    shared(model)
      .then(take)
      .catch(() => {
        missing();
        ask();
      });
  return stop;
}
