/** What Python gives CompareView (compare_wire.py), read with a default for everything that may be missing. */
import {
  type Inventory,
  type Json,
  list,
  type Part,
  readPart,
  readTensors,
  record,
  type Toggle,
  text,
  texts,
  wrongSchema,
} from "../wire";

export interface Model {
  /** tells it apart from all others */
  label: string;
  short: string;
  facts: string[];
  source: string;
  /** its groups of tensors as an inventory, so that the one rule of sum.ts counts them */
  wire: Inventory;
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

/** A group is one tensor of one element that occurs as often as the group has elements. */
function tensors(groups: unknown): Json[] {
  return list(groups)
    .map(record)
    .map((group) => ({
      name: text(group.role) + (group.tied ? ", tied" : ""),
      role: group.role,
      kind: group.kind,
      copies: group.elements,
      active_copies: group.active,
      tied_to: group.tied,
    }));
}

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readCompareWire(value: unknown): CompareWire | string {
  const data = record(value);
  const given = list(data.models).map(record);
  if (given.length === 0) return "No models to show: this view has no data.";
  const wrong = wrongSchema(data);
  if (wrong) return wrong;
  const roles = list(data.roles).map(readPart);
  const toggles = list(data.toggles).map((t) => ({ ...readPart(t), help: text(record(t).help) }));
  const left = record(data.defaults);
  const defaults = {
    stored: texts(left.stored),
    architectural: texts(left.architectural),
    active: texts(left.active),
  };
  return {
    roles,
    toggles,
    models: given.map((each) => {
      const label = text(each.label) || "unnamed model";
      return {
        label,
        short: text(each.short) || label,
        facts: texts(each.facts),
        source: text(each.source),
        wire: { tensors: readTensors(tensors(each.groups)), roles, toggles, defaults },
      };
    }),
    differences: list(data.differences).map((v) => {
      const d = record(v);
      return { field: text(d.field), decides: d.decides === true, values: texts(d.values) };
    }),
  };
}
