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

const asked = (model: Model): Promise<Given> =>
  new Promise((found) => {
    const heard = (content: unknown) => {
      const { kind, ...given } = (content ?? {}) as Given & { kind?: unknown };
      if (kind !== "more") return;
      model.off("msg:custom", heard);
      found(given);
    };
    model.on("msg:custom", heard);
    model.send?.({ do: "more" });
  });

/** Brings the second module; calls back when there is something else to say where it was missed. */
export async function bring(model: Model, changed: () => void): Promise<void> {
  const tell = () => {
    const all = [...asking];
    asking.clear();
    for (const again of all) again();
    if (wanted) changed();
  };
  const take = async ({ text, grammar }: Given) => {
    const made = await load(text);
    if (!more) provide(made.default(core), grammar);
    tell();
  };
  if (more) return tell();
  await shared(model)
    .then(take)
    .catch(async () => {
      waiting = "no_more";
      tell();
      await take(await asked(model));
    })
    .catch((error) => console.warn("paramwidget: a part of the view could not be loaded.", error));
}
