/** Data with any of its fields spoilt: the view draws, or says in a sentence why not, and never throws. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import words from "../../tests/golden/words.json";
import { createModel } from "../src/host";
import widget from "../src/index";
import { drawn } from "./page";

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const file = resolve(import.meta.dirname, "../../tests/golden/openai--gpt-oss-120b.json");
const { wire } = JSON.parse(readFileSync(file, "utf8"));
// One tensor of each role is enough to draw, and draws sooner.
const tensors = wire.tensors.filter(
  (t: Part, i: number, all: Part[]) => all.findIndex(({ role }) => role === t.role) === i,
);
const golden = { ...wire, tensors, words };
const SPOILT = [null, {}, [], [null], "x", -1, 1e308];
const VIEWS = ["bridge", "parts", "layers", "table", "check", "memory"];

interface Part {
  role: string;
}
type Path = (string | number)[];

/** One path to each field; of a list its first place stands for all, of a short list of numbers each. */
function* fields(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (path[0] === "words") return;
  const places = Array.isArray(value) ? value.slice(0, value.length > 5 ? 1 : 5) : value;
  if (typeof places === "object" && places !== null)
    for (const [key, each] of Object.entries(places)) yield* fields(each, [...path, key]);
}

function spoil(path: Path, bad: unknown): Record<string, unknown> {
  const data = structuredClone(golden);
  let at = data;
  for (const key of path.slice(0, -1)) at = at[key];
  at[path.at(-1) as string] = bad;
  return data;
}

const odd = /NaN|undefined|Infinity|\[object/;

it.each(VIEWS)("%s, with each field", { timeout: 60_000 }, async (view) => {
  const paths = [...fields(golden)];
  expect(paths.length).toBeGreaterThan(80);
  const model = createModel({ data: golden, view });
  const el = document.body.appendChild(document.createElement("div"));
  const stop = widget.render({ model, el });
  await drawn(el);
  for (const path of paths)
    for (const bad of SPOILT) {
      model.set("data", spoil(path, bad));
      await Promise.resolve();
      const text = el.textContent ?? "";
      expect([path, bad, text.length > 30, odd.exec(text)]).toEqual([path, bad, true, null]);
    }
  stop();
});
