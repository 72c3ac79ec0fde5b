/** What Python gives CompareView (compare_wire.py), read with a default for everything that may be missing. */
import { type Part, readWire, type Toggle, type Wire } from "../wire";

export interface Model {
  /** tells it apart from all others */
  label: string;
  short: string;
  facts: string[];
  source: string;
  /** its groups of tensors as an inventory, so that the one rule of sum.ts counts them */
  wire: Wire;
}

export interface Difference {
  field: string;
  decides: boolean;
  /** one a model; empty where models are too many to stand side by side */
  values: string[];
}

export interface CompareWire {
  models: Model[];
  roles: Part[];
  toggles: Toggle[];
  differences: Difference[];
}

type Json = Record<string, unknown>;
const record = (v: unknown): Json =>
  typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : {};
const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
const text = (v: unknown): string => (typeof v === "string" ? v : "");

/** A group is one tensor of one element that occurs as often as the group has elements. */
function tensors(groups: unknown): Json[] {
  const all = list(groups).map(record);
  const name = (role: unknown) => `${text(role)}`;
  return all.map((group) => ({
    name: group.tied ? `${name(group.role)}, tied` : name(group.role),
    shape: [],
    role: group.role,
    kind: group.kind,
    copies: group.elements,
    active_copies: group.active,
    tied_to: text(group.tied),
  }));
}

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readCompareWire(value: unknown): CompareWire | string {
  const data = record(value);
  const models: Model[] = [];
  for (const each of list(data.models).map(record)) {
    const wire = readWire({
      schema: data.schema,
      model: each.label,
      tensors: tensors(each.groups),
      roles: data.roles,
      toggles: data.toggles,
      defaults: data.defaults,
    });
    if (typeof wire === "string") return wire;
    const label = text(each.label) || "unnamed model";
    models.push({
      label,
      short: text(each.short) || label,
      facts: list(each.facts).map(text),
      source: text(each.source),
      wire,
    });
  }
  const [first] = models;
  if (!first) return "No models to show: this view has no data.";
  return {
    models,
    roles: first.wire.roles,
    toggles: first.wire.toggles,
    differences: list(data.differences).map((v) => {
      const d = record(v);
      return { field: text(d.field), decides: d.decides === true, values: list(d.values).map(text) };
    }),
  };
}
