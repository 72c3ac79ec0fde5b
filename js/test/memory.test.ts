/** The browser's sums of memory give what Python wrote into tests/golden/memory.json. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import words from "../../tests/golden/words.json";
import { bytes } from "../src/format";
import { DTYPES, type MemoryOptions, memory, written } from "../src/memory";
import { readWire, type Wire } from "../src/wire";

interface Case {
  asked: MemoryOptions;
  experts: [layers: number, all: number, used: number, touched: number][];
  [answer: string]: unknown;
}
interface Model {
  layers: unknown;
  memory: unknown;
  cases: Case[];
}

const file = resolve(import.meta.dirname, "../../tests/golden/memory.json");
const { bytes: sizes = [], ...models } = JSON.parse(readFileSync(file, "utf8"));

function wireOf(data: object): Wire {
  const wire = readWire({ schema: 1, ...data });
  if (typeof wire === "string") throw new Error(wire);
  return wire;
}

describe.each(Object.entries<Model>(models))("%s", (_, { layers, memory: sent, cases }) => {
  const wire = wireOf({ layers, memory: sent });

  it.each(cases)("has the memory that Python has: $asked", ({ asked, experts, ...expected }) => {
    const { byRole, experts: touched, known, ...found } = memory(wire, asked);
    expect({ ...found, byRole: [...byRole] }).toEqual(expected);
    expect(known).toBe(true);
    expect(touched.map((e) => [e.layers, e.all, e.used])).toEqual(experts.map((e) => e.slice(0, 3)));
    touched.forEach((e, i) => {
      expect(e.touched).toBeCloseTo(experts[i]?.[3] ?? -1, 9);
    });
  });
});

it("says bytes in both units, as Python does", () => {
  expect(sizes).toHaveLength(9);
  for (const [n, text] of sizes) expect([n, bytes(n)]).toEqual([n, text]);
});

it("has a word for every kind of layer and bits for every dtype that the golden file names", () => {
  const cases = Object.values<Model>(models).flatMap((m) => m.cases);
  const kinds = cases.flatMap((c) => (c.byKind as { kind: string }[]).map((k) => k.kind));
  expect(new Set(kinds).size).toBeGreaterThan(7);
  expect(kinds.filter((kind) => !(kind in words))).toEqual([]);
  expect(cases.filter((c) => !DTYPES[c.asked.kvDtype])).toEqual([]);
});

it("knows of weights only where no layers are described, and of nothing in an old saved state", () => {
  const asked = { context: 8, batch: 1, weightDtype: "", kvDtype: "bfloat16", encoderLength: null };
  const weights = wireOf({ memory: { weights: [["mlp", 24, 12, 12]] } });
  expect(memory(weights, asked)).toMatchObject({ known: false, weights: 24, kv: 0, byKind: [] });
  expect(memory(wireOf({}), asked)).toMatchObject({ known: false, weights: 0, kv: 0, state: 0 });
});

it("does not know the bytes of weights where a role's are not known, until a dtype is chosen", () => {
  const wire = wireOf({
    memory: {
      weights: [
        ["embedding", 8, 4, 0],
        ["mlp", null, 12, 10],
      ],
    },
  });
  const asked = { context: 8, batch: 1, kvDtype: "bfloat16", encoderLength: null };
  expect(memory(wire, { ...asked, weightDtype: "" }).weights).toBeNull();
  expect(memory(wire, { ...asked, weightDtype: "bfloat16" }).weights).toBe(32);
  // the table stays in 16 bits, and so do the two values of the MLP that are in no map
  expect(memory(wire, { ...asked, weightDtype: "fp8" }).weights).toBe(8 + 10 + 4);
});

it.each([
  ["131072", 131_072],
  ["131_072", 131_072],
  ["131,072", 131_072],
  ["1e5", 100_000],
  ["128k", 128_000],
  ["128 K", 128_000],
  ["128Ki", 131_072],
  ["1.5Mi", 1_572_864],
  ["1.005k", 1005],
  ["1M", 1_000_000],
])("reads %s as the command line does", (text, n) => {
  expect(written(text)).toBe(n);
});

it.each(["", "k", "many", "-5", "1.2.3", "5i", "128kb", "1e"])("does not read %j as a number", (text) => {
  expect(written(text)).toBeNaN();
});

it("does not round what is not whole", () => {
  expect(written("1.0005k")).toBe(1000.5);
});
