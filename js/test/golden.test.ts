/** Both languages hold one truth: Python writes what it counts, and the browser must count the same. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import words from "../../tests/golden/words.json";
import { citation } from "../src/citation";
import { readClaim } from "../src/claims/read";
import { reconcile, type Verdict } from "../src/claims/verdict";
import { percent, short, times } from "../src/format";
import { bridge, byRole, effect, total } from "../src/sum";
import { type Convention, readWire } from "../src/wire";

interface Golden {
  wire: object;
  totals: (Convention & { total: number; by_role: Record<string, number> })[];
  effects: (Convention & { key: string; effect: number })[];
  bridges: { from: Convention; to: Convention; steps: { key: string; delta: number }[] }[];
  shorts: [number, string][];
  percents: [number, number, string][];
  times: [number, number, string][];
  citations: (Convention & { text: string })[];
}

const folder = resolve(import.meta.dirname, "../../tests/golden");
const files = readdirSync(folder).filter((name) => name.includes("--"));

it("there are golden files", () => expect(files).not.toEqual([]));

describe.each(files)("%s", (name) => {
  const golden: Golden = JSON.parse(readFileSync(resolve(folder, name), "utf8"));
  const read = readWire({ ...golden.wire, words });
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

  it("is cited by the same line", () => {
    for (const { text, ...convention } of golden.citations)
      expect([convention, citation(wire, convention)]).toEqual([convention, text]);
  });

  it("has the same words for numbers", () => {
    expect(golden.shorts.map(([n]) => [n, short(n)])).toEqual(golden.shorts);
    expect(golden.percents.map(([a, b]) => [a, b, percent(a, b)])).toEqual(golden.percents);
    expect(golden.times.map(([a, b]) => [a, b, times(a, b)])).toEqual(golden.times);
  });
});

type Said = [
  kind: string,
  text: string,
  rivals: number,
  gap: number | null,
  decided: string | null,
  matches: unknown[],
];
interface Reconciled {
  typed: { text: string; claims: string[] | null; why?: string; verdicts: Record<string, Said[]> }[];
  bundled: Record<string, Said[]>;
  names: string;
}

describe("claims", () => {
  const read = (name: string) => JSON.parse(readFileSync(resolve(folder, name), "utf8"));
  const wireOf = (model: string) => {
    const wire = readWire({ ...read(`${model.replace("/", "--")}.json`).wire, words });
    if (typeof wire === "string") throw new Error(wire);
    return wire;
  };
  const said = (v: Verdict): Said => [
    v.kind,
    v.text,
    v.rivals,
    v.gap,
    v.decidedBy?.text ?? null,
    v.matches.map((m) => [m.basis, m.off, m.on, m.total, m.preset]),
  ];
  const { typed, bundled, names }: Reconciled = read("reconcile.json");

  it.each(typed)("$text is read and fits as in Python", ({ text, claims, why, verdicts }) => {
    for (const model of Object.keys(bundled)) {
      const wire = wireOf(model);
      const found = readClaim(text, names);
      if (typeof found === "string") {
        expect([claims, found]).toEqual([null, why]);
        continue;
      }
      expect(found.map((c) => c.text)).toEqual(claims);
      expect([model, found.map((c) => said(reconcile(wire, c)))]).toEqual([model, verdicts[model]]);
    }
  });

  it.each(Object.keys(bundled))("the printed numbers of %s have the same verdicts", (model) => {
    const wire = wireOf(model);
    expect(wire.claims.map((c) => said(reconcile(wire, c)))).toEqual(bundled[model]);
  });

  it("a verdict on the largest model takes less than 10 ms", () => {
    const wires = Object.keys(bundled).map(wireOf);
    const wire = wires.reduce((a, b) => (a.toggles.length > b.toggles.length ? a : b));
    const claims = readClaim("1B / 4B active / 100M non-embedding");
    if (typeof claims === "string") throw new Error(claims);
    for (const c of claims) reconcile(wire, c);
    const times = Array.from({ length: 9 }, () => {
      const start = performance.now();
      for (const c of claims) reconcile(wire, c);
      return (performance.now() - start) / claims.length;
    }).sort((a, b) => a - b);
    expect(times[0]).toBeLessThan(10);
  });
});
