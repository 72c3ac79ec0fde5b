/** The line to cite; its twin is render/citation.py. */
import { departures, departuresText, TABLES } from "./claims";
import { integer } from "./format";
import { total } from "./sum";
import type { Basis, Convention, Wire } from "./wire";

/** The bases worth saying: the architectural one only where it differs from the stored, or is the reader's own. */
export function saidBases(now: Convention, count: (basis: Basis) => number): [basis: Basis, n: number][] {
  const bases: Basis[] = ["stored", "active"];
  if (now.basis === "architectural" || count("architectural") !== count("stored"))
    bases.push("architectural");
  return bases.map((basis) => [basis, count(basis)]);
}

/**
 * "116,829,156,672 stored, 5,132,849,472 active (lm_head in, embedding out), openai/gpt-oss-120b (bundled snapshot,
 * revision not pinned), paramwidget 0.1.0": what was counted, and by what, comes with the data.
 * Where one table is out, it is said that the other is in: the number alone would not tell which.
 * The reader's own count has its departures beside it; the others are as their basis counts by default.
 */
export function citation(wire: Wire, now: Convention): string {
  const { off } = departures(wire, now);
  const kept = TABLES.filter((key) => !off.includes(key) && wire.toggles.some((t) => t.key === key));
  const one = kept.length === 1 && TABLES.some((key) => off.includes(key));
  const said = `${one ? `${kept[0]} in, ` : ""}${departuresText(wire, now)}`;
  const counts = saidBases(now, (basis) =>
    total(wire, basis === now.basis ? now : { basis, off: [], on: [] }),
  ).map(([basis, n]) => `${integer(n)} ${basis}${basis === now.basis && said ? ` (${said})` : ""}`);
  return `${counts.join(", ")}, ${wire.provenance.cite || wire.model}`;
}
