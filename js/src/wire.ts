/** What Python gives the browser (the trait `data`), read with a default for everything that may be missing. */
import { type Claim, type Grammar, readClaim } from "./claims/read";

export type { Claim };

import { layerCount } from "./layers";

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
  /** other layers have a tensor of this name too */
  repeated: boolean;
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
  hubTotal: number | null;
  rows: { name: string; predicted: number; found: number; cause: string; note: string }[];
  unexplained: number;
  problems: string[];
}
/** What sums are made of. */
export interface Inventory {
  tensors: Tensor[];
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
  presets: Preset[];
  /** how claims are read */
  grammar: Grammar;
  claims: Claim[];
  headline: Claim | null;
  defaulted: Defaulted[];
  /** null until files were read */
  check: Check | null;
  runs: Run[];
  weights: Weighed[];
  /** layers with experts that are alike, experts of each, experts that a token uses there */
  experts: [layers: number, all: number, used: number][];
}

const SCHEMA = 1;

export type Json = Record<string, unknown>;

export const record = (v: unknown): Json =>
  typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : {};
export const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
export const text = (v: unknown): string => (typeof v === "string" ? v : "");
export const texts = (v: unknown): string[] => list(v).filter((x): x is string => typeof x === "string");
const count = (v: unknown, otherwise = 0): number =>
  typeof v === "number" && Number.isSafeInteger(v) && v >= 0 ? v : otherwise;

/** The basis named by an outside value; anything unknown is "active", the default of the trait. */
export const readBasis = (v: unknown): Basis => BASES.find((b) => b === v) ?? "active";

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Several fields read alike; Python spells `activeCopies` as `active_copies`. */
function all<T, S extends string>(v: unknown, read: (field: unknown) => T, names: S): Record<Words<S>, T> {
  const r = record(v);
  const python = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  return Object.fromEntries(names.split(" ").map((name) => [name, read(r[python(name)])])) as Record<
    Words<S>,
    T
  >;
}

const convention = (v: unknown): Convention => ({
  basis: readBasis(record(v).basis),
  ...all(v, texts, "off on"),
});

function readTensor(v: unknown): Tensor {
  const t = record(v);
  const words = all(v, text, "name symbols numbers role kind layers tiedTo note dtype");
  const sizes = all(v, count, "copies activeCopies");
  const shape = list(t.shape).map((x) => count(x));
  const [size, field] = list(t.stacked);
  return {
    ...words,
    ...sizes,
    role: words.role || "other",
    kind: words.kind || "weight",
    shape,
    numel: shape.reduce((product, dim) => product * dim, 1),
    activeLow: count(t.active_low, sizes.activeCopies),
    stacked: count(size) ? { size: count(size), field: text(field) } : null,
    tiedRole: "",
    implied: t.implied === true,
    repeated: false,
  };
}

export function readTensors(v: unknown): Tensor[] {
  const tensors = list(v).map(readTensor);
  // A name may come again in other layers, with another shape: a tie means the first, as it does in Python.
  const first = new Map<string, Tensor>();
  for (const t of tensors) {
    const other = first.get(t.name);
    if (other) other.repeated = t.repeated = true;
    else first.set(t.name, t);
  }
  for (const t of tensors) if (t.tiedTo) t.tiedRole = first.get(t.tiedTo)?.role ?? "other";
  return tensors;
}

function readRun(v: unknown): Run {
  const r = record(v);
  const words = all(v, text, "layers mixer ffn");
  const n = all(v, count, "kvHeads kDim vDim latent rate crossTokens stateElements");
  const shared = "shares_kv_with" in r;
  return {
    ...words,
    ...all(v, count, "window indexer compressed cross"),
    count: layerCount(words.layers),
    cached: shared ? 0 : n.latent || n.kvHeads * (n.kDim + n.vDim),
    rate: n.rate || 1,
    crossTokens: "cross_tokens" in r ? n.crossTokens : null,
    state: n.stateElements,
    stateFloat32: count(r.state_float32),
    shared,
  };
}

export const readPart = (v: unknown): Part => {
  const { key, label } = all(v, text, "key label");
  return { key, label: label || key };
};

function readGrammar(v: unknown): Grammar {
  const { parts, units, ...patterns } = record(v);
  return { patterns, parts: list(parts), units: list(units) } as Grammar;
}

/** A claim is read from its text; one that cannot be read is null. */
function bundled(v: unknown, grammar: Grammar): Claim | null {
  const c = record(v);
  const [found] = readClaim({ grammar }, text(c.text));
  if (!found || typeof found === "string") return null;
  const basis = BASES.find((b) => b === c.basis);
  return {
    ...found,
    ...(basis && { basis, bases: [basis] }),
    ...all(v, text, "text source url quote"),
    ...all(v, texts, "off on"),
  };
}

function readCheck(v: unknown): Check | null {
  const c = record(v);
  if (!("predicted" in c)) return null;
  return {
    ...all(v, text, "repo revision"),
    ...all(v, count, "predicted foundParameters foundScales unexplained"),
    hubTotal: typeof c.hub_total === "number" ? c.hub_total : null,
    rows: list(c.rows).map((row) => ({
      ...all(row, text, "name cause note"),
      ...all(row, count, "predicted found"),
    })),
    problems: texts(c.problems),
  };
}

/** Why data of another version cannot be shown; empty where it is of this one. */
export const wrongSchema = (data: Json): string =>
  data.schema === SCHEMA
    ? ""
    : `This view reads data of schema ${SCHEMA}, and the data has ${"schema" in data ? `schema ${typeof data.schema === "number" ? data.schema : "of another kind"}` : "none"}. The saved output and paramwidget are of different versions: run the cell again.`;

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readWire(value: unknown): Wire | string {
  const data = record(value);
  if (Object.keys(data).length === 0) return "No model to show: this view has no data.";
  const wrong = wrongSchema(data);
  if (wrong) return wrong;

  const tensors = readTensors(data.tensors);
  const broken = tensors.find((t) => !Number.isSafeInteger(t.numel * Math.max(t.copies, 1)));
  if (broken)
    return `The size of ${broken.name || "a tensor"} is more than 2^53 − 1: this view cannot count it.`;
  const roles = list(data.roles).map(readPart);
  // A role without a row would make the rows add up to less than the total.
  for (const { role } of tensors)
    if (!roles.some((r) => r.key === role)) roles.push({ key: role, label: role });
  const place = all(data.provenance, text, "kind revision label pin text url path fetched");
  const grammar = readGrammar(data.grammar);
  const claims = list(data.claims).map((v) => bundled(v, grammar));
  const memory = record(data.memory);
  return {
    ...all(data, text, "modelType architecture"),
    model: text(data.model) || "unnamed model",
    facts: texts(data.facts),
    provenance: { ...place, label: place.label || place.kind },
    tensors,
    roles,
    toggles: list(data.toggles).map((t) => ({ ...readPart(t), help: text(record(t).help) })),
    defaults: all(data.defaults, texts, "stored architectural active"),
    presets: list(data.presets).map((p) => ({
      ...readPart(p),
      ...convention(p),
      ...all(p, text, "citation url"),
      documented: record(p).documented === true,
    })),
    grammar,
    claims: claims.filter((c) => c !== null),
    headline: (typeof data.headline === "number" && claims[data.headline]) || null,
    defaulted: list(data.defaulted).map((v) => {
      const { value } = record(v);
      return { ...all(v, text, "key rule"), value: value === undefined ? "" : JSON.stringify(value) };
    }),
    check: readCheck(data.check),
    runs: list(data.layers).map(readRun),
    weights: list(memory.weights).map((v) => {
      const [role, stored, elements, maps, fixed] = list(v);
      return {
        role: text(role),
        stored: stored === null ? null : count(stored),
        elements: count(elements),
        maps: count(maps),
        fixed: count(fixed),
      };
    }),
    experts: list(memory.experts).map((v) => {
      const [layers, all, used] = list(v);
      return [count(layers), count(all, 1), count(used)];
    }),
  };
}

/** A link only where the address is a web page: an address is data and may be anything. */
export const webAddress = (url: string): string | undefined => (/^https?:\/\//i.test(url) ? url : undefined);
