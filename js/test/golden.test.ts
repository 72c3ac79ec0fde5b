/** Both languages hold one truth: Python writes what it counts, and the browser must count the same. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { percent, short, times } from "../src/format";
import { bridge, byRole, effect, total } from "../src/sum";
import { type Convention, readWire } from "../src/wire";

interface Golden {
  wire: unknown;
  totals: (Convention & { total: number; by_role: Record<string, number> })[];
  effects: (Convention & { key: string; effect: number })[];
  bridges: { from: Convention; to: Convention; steps: { key: string; delta: number }[] }[];
  shorts: [number, string][];
  percents: [number, number, string][];
  times: [number, number, string][];
}

const folder = resolve(import.meta.dirname, "../../tests/golden");
const exists = existsSync(folder);
const files = exists ? readdirSync(folder).filter((name) => name.includes("--")) : [];

it.skipIf(!exists)("there are golden files", () => expect(files).not.toEqual([]));

describe.each(files)("%s", (name) => {
  const golden: Golden = JSON.parse(readFileSync(resolve(folder, name), "utf8"));
  const read = readWire(golden.wire);
  if (typeof read === "string") throw new Error(`${name}: ${read}`);
  const wire = read;

  it("has the same totals by role", () => {
    expect(golden.totals).not.toEqual([]);
    for (const { total: expected, by_role, ...convention } of golden.totals) {
      expect([convention, total(wire, convention)]).toEqual([convention, expected]);
      const found = [...byRole(wire, convention)].filter(([, n]) => n !== 0);
      const wanted = Object.entries(by_role).filter(([, n]) => n !== 0);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    }
  });

  it("has the same effect of every toggle", () => {
    for (const { key, effect: expected, ...convention } of golden.effects)
      expect([convention, key, effect(wire, convention, key)]).toEqual([convention, key, expected]);
  });

  it("has the same bridges", () => {
    for (const { from, to, steps } of golden.bridges)
      expect(bridge(wire, from, to).map(({ key, delta }) => ({ key, delta }))).toEqual(
        steps.map(({ key, delta }) => ({ key, delta })),
      );
  });

  it("has the same words for numbers", () => {
    expect(golden.shorts.map(([n]) => [n, short(n)])).toEqual(golden.shorts);
    expect(golden.percents.map(([a, b]) => [a, b, percent(a, b)])).toEqual(golden.percents);
    expect(golden.times.map(([a, b]) => [a, b, times(a, b)])).toEqual(golden.times);
  });
});
