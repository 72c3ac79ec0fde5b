/** What Python gives CompareView (compare_wire.py), read with a default for everything that may be missing. */

import { learn } from "../say";
import { type Counted, type Inventory, like, type Part, type Toggle, wrongSchema } from "../wire";

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

const PART = { key: "", label: "" };
const COMPARED = {
  models: [
    {
      label: "unnamed model",
      short: "",
      facts: [""],
      source: "",
      groups: [{ role: "other", kind: "weight", elements: 0, active: 0, tied: "" }],
    },
  ],
  roles: [PART],
  toggles: [{ ...PART, help: "" }],
  defaults: { stored: [""], architectural: [""], active: [""] },
  differences: [{ field: "", decides: false, values: [""] }],
};

/** A group is one tensor of one element that occurs as often as the group has elements. */
const tensorOf = (group: (typeof COMPARED.models)[0]["groups"][0]): Counted => ({
  role: group.role,
  kind: group.kind,
  numel: 1,
  copies: group.elements,
  activeCopies: group.active,
  activeLow: group.active,
  tiedTo: group.tied,
  tiedRole: group.tied,
});

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readCompareWire(value: unknown): CompareWire | string {
  const { models, ...data } = like(value, COMPARED);
  if (models.length === 0) return "No models to show: this view has no data.";
  const { schema, words } = value as { schema?: unknown; words?: unknown };
  learn(words);
  const wrong = wrongSchema(schema);
  if (wrong) return wrong;
  const { roles, toggles, defaults } = data;
  return {
    ...data,
    models: models.map(({ groups, ...model }) => ({
      ...model,
      short: model.short || model.label,
      wire: { tensors: groups.map(tensorOf), roles, toggles, defaults },
    })),
  };
}
