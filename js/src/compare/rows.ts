/** The rows of a comparison under one convention, and their order. */
import { byRole, total } from "../sum";
import type { Convention } from "../wire";
import type { CompareWire, Model } from "./wire";

export interface Row {
  model: Model;
  /** place among the models as they were given */
  place: number;
  total: number;
  stored: number;
  architectural: number;
  active: number;
  parts: Map<string, number>;
}

export const rowsOf = (wire: CompareWire, now: Convention): Row[] =>
  wire.models.map((model, place) => ({
    model,
    place,
    total: total(model.wire, now),
    stored: total(model.wire, { ...now, basis: "stored" }),
    architectural: total(model.wire, { ...now, basis: "architectural" }),
    active: total(model.wire, { ...now, basis: "active" }),
    parts: byRole(model.wire, now),
  }));

/** "attention" ascending, "-attention" descending; empty is the order in which the models were given. */
export function sorted(rows: readonly Row[], sort: string): Row[] {
  const key = sort.replace(/^-/, "");
  if (!key) return [...rows];
  const sign = sort.startsWith("-") ? -1 : 1;
  const by = (row: Row): number => {
    if (key === "stored" || key === "architectural" || key === "active") return row[key];
    if (key === "ratio") return row.active ? row.stored / row.active : 0;
    return row.parts.get(key) ?? -1;
  };
  const compare =
    key === "model"
      ? (a: Row, b: Row) => a.model.label.localeCompare(b.model.label, "en")
      : (a: Row, b: Row) => by(a) - by(b);
  return [...rows].sort((a, b) => sign * compare(a, b) || a.place - b.place);
}

/** What a click on a head makes of the order: the largest first (names from a), then the other way, then as given. */
export function nextSort(sort: string, key: string): string {
  const first = key === "model" ? key : `-${key}`;
  const second = key === "model" ? `-${key}` : key;
  if (sort === first) return second;
  return sort === second ? "" : first;
}
