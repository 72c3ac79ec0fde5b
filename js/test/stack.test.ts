/** The layers view adds up: what is in layers and what is not is the total, in every golden model. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { stacks } from "../src/stack";
import { total } from "../src/sum";
import { type Convention, readWire, type Wire } from "../src/wire";

const folder = resolve(import.meta.dirname, "../../tests/golden");
const models = readdirSync(folder).filter((name) => name.includes("--"));
const read = (name: string): Wire => {
  const wire = readWire(JSON.parse(readFileSync(resolve(folder, name), "utf8")).wire);
  if (typeof wire === "string") throw new Error(wire);
  return wire;
};
const by = (basis: Convention["basis"]): Convention => ({ basis, off: [], on: [] });

describe.each(models)("%s", (name) => {
  const wire = read(name);
  it.each(["stored", "active", "architectural"] as const)(
    "%s: the layers and the rest are the total",
    (basis) => {
      const found = stacks(wire, by(basis));
      const rest = { ...wire, tensors: wire.tensors.filter((t) => !t.layers || t.role === "projector") };
      expect(found.reduce((n, stack) => n + stack.size, 0) + total(rest, by(basis))).toBe(
        total(wire, by(basis)),
      );
    },
  );

  it("every layer of the stack is of one kind, in order", () => {
    const [stack] = stacks(wire, by("stored"));
    expect(stack?.order.map(([index]) => index)).toEqual([...Array(stack?.count).keys()]);
    expect(stack?.kinds.reduce((n, kind) => n + kind.count, 0)).toBe(stack?.count);
  });
});

it("gpt-oss-120b alternates a window of 128 with the whole context", () => {
  const [stack] = stacks(read("openai--gpt-oss-120b.json"), by("active"));
  expect(
    stack?.kinds.map(({ mixer, ffn, window, layers, count, size }) => [
      mixer,
      ffn,
      window,
      layers.slice(0, 5),
      count,
      size,
    ]),
  ).toEqual([
    ["sliding", "moe", 128, "0,2,4", 18, 126_492_032],
    ["full", "moe", 0, "1,3,5", 18, 126_492_032],
  ]);
});

it("DeepSeek-V3 has three dense layers before its experts, and an MTP layer of its own", () => {
  const found = stacks(read("deepseek-ai--DeepSeek-V3.json"), by("stored"));
  expect(found.map(({ key, count }) => [key, count])).toEqual([
    ["stack", 61],
    ["mtp", 1],
  ]);
  expect(found[0]?.kinds.map(({ mixer, ffn, layers }) => [mixer, ffn, layers])).toEqual([
    ["mla", "dense", "0-2"],
    ["mla", "moe", "3-60"],
  ]);
});

it("every fourth layer of Qwen3-Next attends to the whole context", () => {
  const [stack] = stacks(read("Qwen--Qwen3-Next-80B-A3B-Instruct.json"), by("active"));
  expect(stack?.order.slice(0, 8).map(([, kind]) => kind.mixer)).toEqual([
    "linear",
    "linear",
    "linear",
    "full",
    "linear",
    "linear",
    "linear",
    "full",
  ]);
});
