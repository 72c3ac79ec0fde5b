/** What Python gives the browser (the trait `data`), read with a default for everything that may be missing. */
import type { Claim, Num } from "./claims/claim";

export type { Claim };

import { integer } from "./format";
import type { Bundled } from "./kernel";
import { layerCount } from "./layers";
import { learn, say } from "./say";

export const BASES = ["stored", "architectural", "active"] as const;
export type Basis = (typeof BASES)[number];

/** A way of counting: a basis and the departures from what that basis leaves out by default. */
export interface Convention {
  basis: Basis;
  /** also left out */
  off: readonly string[];
  /** counted although the basis leaves it out */
  on: readonly string[];
}

export interface Tensor {
  name: string;
  /** shape of one sibling */
  shape: number[];
  numel: number;
  symbols: string;
  numbers: string;
  role: string;
  kind: string;
  /** indices such as "0-35"; empty when the tensor is in no layer */
  layers: string;
  copies: number;
  activeCopies: number;
  /** where routing decides how many are used: the least */
  activeLow: number;
  /** the leading axis of a file that holds a layer's experts in one tensor */
  stacked: { size: number; field: string } | null;
  tiedTo: string;
  /** role of the tensor this one is tied to, empty when it is not tied */
  tiedRole: string;
  implied: boolean;
  /** not every layer of its stack has this very tensor, so its row says which */
  placed: boolean;
  note: string;
  dtype: string;
}

export interface Part {
  key: string;
  label: string;
}
export interface Toggle extends Part {
  help: string;
}
export interface Preset extends Part, Convention {
  citation: string;
  url: string;
  /** whether the citation speaks of this very type of model */
  documented: boolean;
}
export interface Provenance {
  revision: string;
  label: string;
  pin: string;
  text: string;
  url: string;
  path: string;
  fetched: string;
  /** what was counted, and by which version */
  cite: string;
}
export interface Defaulted {
  key: string;
  value: string;
  rule: string;
}
/** Layers that are alike, and what each keeps of a context; sizes are numbers of elements. */
export interface Run {
  /** indices such as "0-35", and how many they are */
  layers: string;
  count: number;
  mixer: string;
  ffn: string;
  /** tokens that it looks back on; 0: all */
  window: number;
  /** what one token adds while the layer grows */
  cached: number;
  /** keys by which it chooses what it sees, and an entry beside the window: one of each for `rate` tokens */
  indexer: number;
  compressed: number;
  rate: number;
  /** keys and values of one token of an encoder; how many there are, null where the encoder decides */
  cross: number;
  crossTokens: number | null;
  /** what does not grow with the context, and how much of it is kept in 32 bits */
  state: number;
  stateFloat32: number;
  /** reads the cache of an earlier layer */
  shared: boolean;
}
/** The weights of a role: bytes as files store them (null: not known), values, those in linear maps, fixed bytes. */
export interface Weighed {
  role: string;
  stored: number | null;
  elements: number;
  maps: number;
  fixed: number;
}
/** The counts against a checkpoint's headers: `check --json`. */
export interface Check {
  repo: string;
  revision: string;
  predicted: number;
  foundParameters: number;
  foundScales: number;
  /** −1 where it is not known, as the two above */
  hubTotal: number;
  rows: { name: string; predicted: number; found: number; cause: string; note: string }[];
  unexplained: number;
  problems: string[];
}
/** What a sum sees of a tensor. */
export type Counted = Pick<
  Tensor,
  "role" | "kind" | "numel" | "copies" | "activeCopies" | "activeLow" | "tiedTo" | "tiedRole"
>;

/** What sums are made of. */
export interface Inventory {
  tensors: Counted[];
  roles: Part[];
  toggles: Toggle[];
  defaults: Record<Basis, string[]>;
}

export interface Wire extends Inventory {
  model: string;
  modelType: string;
  architecture: string;
  facts: string[];
  provenance: Provenance;
  tensors: Tensor[];
  presets: Preset[];
  claims: Claim[];
  headline: Claim | null;
  defaulted: Defaulted[];
  /** null until files were read */
  check: Check | null;
  runs: Run[];
  /** bytes of the weights as files store them; 0 where they are not known */
  weightBytes: number;
  weights: Weighed[];
  /** layers with experts that are alike, experts of each, experts that a token uses there */
  experts: [layers: number, all: number, used: number][];
  /** parameters that a token reads, of how many active ones, those in rows of tables, weights of matrices; or empty */
  token: number[];
  /** that the config names; infinite where it names none */
  positions: number;
}

const SCHEMA = 1;

/**
 * A value of the shape of `usual`, whatever `v` is: what is missing or of another type is as in `usual`, a list of one
 * is the shape of each of any number, a longer one that of as many. Python spells `activeCopies` as `active_copies`.
 */
export function like<T>(v: unknown, usual: T): T {
  if (Array.isArray(usual)) {
    const given = Array.isArray(v) ? v : [];
    const each = usual.length > 1 ? usual : given;
    return each.map((_, i) => like(given[i], usual[i] ?? usual[0])) as T;
  }
  if (typeof usual === "number") return Number.isSafeInteger(v) && (v as number) >= 0 ? (v as T) : usual;
  if (typeof usual !== "object" || usual === null) return typeof v === typeof usual ? (v as T) : usual;
  const given = (typeof v === "object" && v !== null ? v : {}) as Record<string, unknown>;
  const found: Record<string, unknown> = {};
  for (const name in usual) {
    const key = python(name);
    found[name] = like(Object.hasOwn(given, key) ? given[key] : undefined, usual[name]);
  }
  return found as T;
}

const spelled = new Map<string, string>();

/** Each name once, as a model has them for hundreds of tensors. */
function python(name: string): string {
  const key = spelled.get(name) ?? name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  spelled.set(name, key);
  return key;
}

/** The basis named by an outside value; anything unknown is "active", the default of the trait. */
export const readBasis = (v: unknown): Basis => BASES.find((b) => b === v) ?? "active";

// In place of a size that may be missing, where 0 would be one.
const NONE = -1;
const WEIGHED: [role: string, stored: number, elements: number, maps: number, fixed: number] = [
  "",
  NONE,
  0,
  0,
  0,
];
const BUNDLED: Bundled = ["", 0, 0, ""];

const PART = { key: "", label: "" };
const WIRE = {
  model: "unnamed model",
  modelType: "",
  architecture: "",
  facts: [""],
  dtype: "",
  provenance: {
    kind: "",
    revision: "",
    label: "",
    pin: "",
    text: "",
    url: "",
    path: "",
    fetched: "",
    cite: "",
  },
  tensors: [
    {
      name: "",
      symbols: "",
      numbers: "",
      role: "other",
      kind: "weight",
      layers: "",
      tiedTo: "",
      note: "",
      dtype: "",
      shape: [0],
      copies: NONE,
      activeCopies: NONE,
      activeLow: NONE,
      implied: false,
    },
  ],
  roles: [PART],
  toggles: [{ ...PART, help: "" }],
  defaults: { stored: [""], architectural: [""], active: [""] },
  presets: [
    { ...PART, basis: "active" as Basis, off: [""], on: [""], citation: "", url: "", documented: false },
  ],
  claims: [
    {
      text: "",
      number: "",
      source: "",
      url: "",
      quote: "",
      basis: "",
      each: "",
      off: [""],
      on: [""],
      bases: [""],
      without: [""],
      including: [""],
      loose: [""],
      parts: [""],
      low: [0],
      high: [0],
      times: 0,
      bits: NONE,
      average: false,
    },
  ],
  headline: NONE,
  weightBytes: 0,
  defaulted: [{ key: "", rule: "" }],
  layers: [
    {
      layers: "",
      mixer: "",
      ffn: "",
      window: 0,
      latent: 0,
      kvHeads: 0,
      kDim: 0,
      vDim: 0,
      indexer: 0,
      compressed: 0,
      rate: 1,
      cross: 0,
      crossTokens: NONE,
      stateElements: 0,
      stateFloat32: 0,
      sharesKvWith: NONE,
    },
  ],
  memory: { experts: [[0, 0, 0]], weights: [WEIGHED], token: [0], positions: Number.POSITIVE_INFINITY },
  check: {
    repo: "",
    revision: "",
    predicted: NONE,
    foundParameters: NONE,
    foundScales: NONE,
    hubTotal: NONE,
    unexplained: 0,
    rows: [{ name: "", cause: "", note: "", predicted: 0, found: 0 }],
    problems: [""],
  },
};

/** Fields that are lists of unlike things, or may be anything. */
interface Given {
  schema?: unknown;
  words?: unknown;
  tensors?: { stacked?: unknown; dtype?: unknown }[];
  defaulted?: { value?: unknown }[];
}

function readTensors(given: typeof WIRE.tensors, usual: string, raw: Given["tensors"]): Tensor[] {
  const tensors = given.map((t, i): Tensor => {
    const stacked = raw?.[i]?.stacked;
    const [size, field] = Array.isArray(stacked) ? stacked : [];
    const copies = t.copies === NONE ? layerCount(t.layers) || Number(t.name !== "") : t.copies;
    const activeCopies = t.activeCopies === NONE ? copies : t.activeCopies;
    // The shape says the formula where a config has no names for it.
    const plain = t.shape.map(integer).join(" × ") || "1";
    return {
      ...t,
      copies,
      dtype: raw?.[i]?.dtype === undefined ? usual : t.dtype,
      symbols: t.symbols || plain,
      numbers: t.numbers || plain,
      activeCopies,
      numel: t.shape.reduce((product, dim) => product * dim, 1),
      activeLow: t.activeLow === NONE ? activeCopies : t.activeLow,
      stacked: size ? { size: like(size, 0), field: like(field, "") } : null,
      tiedRole: "",
      placed: false,
    };
  });
  // Stacks are told apart by what is before the number of the layer; the longest list is that of all its layers.
  const stackOf = ({ name }: Tensor) => name.split("{layer}")[0] ?? "";
  const most = new Map<string, number>();
  for (const t of tensors) most.set(stackOf(t), Math.max(most.get(stackOf(t)) ?? 2, layerCount(t.layers)));
  // A name may come again in other layers, with another shape: a tie means the first, as it does in Python.
  const first = new Map<string, Tensor>();
  for (const t of tensors) {
    const other = first.get(t.name);
    if (other) other.placed = t.placed = true;
    else first.set(t.name, t);
    if (t.name.includes("{layer}") && layerCount(t.layers) < (most.get(stackOf(t)) ?? 0)) t.placed = true;
  }
  for (const t of tensors) if (t.tiedTo) t.tiedRole = first.get(t.tiedTo)?.role ?? "other";
  return tensors;
}

const readRun = (run: (typeof WIRE.layers)[0]): Run => {
  const shared = run.sharesKvWith !== NONE;
  return {
    ...run,
    count: layerCount(run.layers),
    cached: shared ? 0 : run.latent || run.kvHeads * (run.kDim + run.vDim),
    crossTokens: run.crossTokens === NONE ? null : run.crossTokens,
    state: run.stateElements,
    shared,
  };
};

/** A bundled claim, which Python has read; null without its digits. */
function bundled(claim: (typeof WIRE.claims)[0]): Claim | null {
  const number = claim.number || (claim.text.split(" ")[0] ?? "");
  const num = ([digits, places = 0, unit = 1]: number[]): Num | null =>
    digits === undefined ? null : { text: number, digits, places, unit };
  const low = num(claim.low);
  const basis = readBasis(claim.basis);
  const bases = claim.bases.map(readBasis);
  if (bases.length === 0) bases.push(...(basis === "stored" ? BASES.slice(0, 2) : [basis]));
  const bits = claim.bits === NONE ? null : claim.bits;
  return low && { ...claim, number, low, high: num(claim.high) ?? low, basis, bases, bits };
}

/** Why data of another version cannot be shown; empty where it is of this one. */
export const wrongSchema = (schema: unknown): string =>
  schema === SCHEMA
    ? ""
    : `This view reads data of schema ${SCHEMA}, and the data has ${schema !== undefined ? `schema ${typeof schema === "number" ? schema : "of another kind"}` : "none"}. The saved output and paramwidget are of different versions: run the cell again.`;

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readWire(value: unknown): Wire | string {
  const raw = (typeof value === "object" && value !== null ? value : {}) as Given;
  learn(raw.words);
  if (Object.keys(raw).length === 0) return "No model to show: this view has no data.";
  const wrong = wrongSchema(raw.schema);
  if (wrong) return wrong;

  const data = like(value, WIRE);
  const { provenance, roles, check } = data;
  const tensors = readTensors(data.tensors, data.dtype, raw.tensors);
  const broken = tensors.find((t) => !Number.isSafeInteger(t.numel * Math.max(t.copies, 1)));
  if (broken) return say("too_large", broken.name || "a tensor");
  // A role without a row would make the rows add up to less than the total.
  for (const { role } of tensors)
    if (!roles.some((r) => r.key === role)) roles.push({ key: role, label: role });
  const claims = data.claims.map(bundled);
  return {
    ...data,
    provenance: { ...provenance, label: provenance.label || provenance.kind },
    tensors,
    presets: data.presets.map((preset) => ({ ...preset, basis: readBasis(preset.basis) })),
    claims: claims.filter((c) => c !== null),
    headline: claims[data.headline] ?? null,
    defaulted: data.defaulted.map((d, i) => ({
      ...d,
      value: JSON.stringify(raw.defaulted?.[i]?.value) ?? "",
    })),
    check: check.predicted === NONE ? null : check,
    runs: data.layers.map(readRun),
    weights: data.memory.weights.map(([role, stored, elements, maps, fixed]) => ({
      role,
      stored: stored === NONE ? null : stored,
      elements,
      maps,
      fixed,
    })),
    experts: data.memory.experts.filter(([, all]) => all) as Wire["experts"],
    token: data.memory.token,
    positions: data.memory.positions,
  };
}

/** Bundled models as Python lists them; what has no name is left out. */
export const readCatalog = (value: unknown): Bundled[] => like(value, [BUNDLED]).filter(([id]) => id);

/** A link only where the address is a web page: an address is data and may be anything. */
export const webAddress = (url: string): string | undefined => (/^https?:\/\//i.test(url) ? url : undefined);
