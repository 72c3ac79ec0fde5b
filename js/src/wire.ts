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
export interface Wire {
  model: string;
  modelType: string;
  architecture: string;
  facts: string[];
  provenance: Provenance;
  tensors: Tensor[];
  roles: Part[];
  toggles: Toggle[];
  defaults: Record<Basis, string[]>;
  presets: Preset[];
  /** how claims are read */
  grammar: Grammar;
  claims: Claim[];
  headline: Claim | null;
  defaulted: Defaulted[];
  runs: Run[];
  weights: Weighed[];
  /** layers with experts that are alike, experts of each, experts that a token uses there */
  experts: [layers: number, all: number, used: number][];
}

const SCHEMA = 1;

type Json = Record<string, unknown>;

const record = (v: unknown): Json =>
  typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : {};
const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
const text = (v: unknown): string => (typeof v === "string" ? v : "");
const texts = (v: unknown): string[] => list(v).filter((x): x is string => typeof x === "string");
const count = (v: unknown, otherwise = 0): number =>
  typeof v === "number" && Number.isSafeInteger(v) && v >= 0 ? v : otherwise;

/** The basis named by an outside value; anything unknown is "active", the default of the trait. */
export const readBasis = (v: unknown): Basis => BASES.find((b) => b === v) ?? "active";

const convention = (v: Json): Convention => ({
  basis: readBasis(v.basis),
  off: texts(v.off),
  on: texts(v.on),
});

function readTensor(v: unknown): Tensor {
  const t = record(v);
  const shape = list(t.shape).map((x) => count(x));
  const stacked = list(t.stacked);
  const activeCopies = count(t.active_copies);
  return {
    name: text(t.name),
    shape,
    numel: shape.reduce((product, dim) => product * dim, 1),
    symbols: text(t.symbols),
    numbers: text(t.numbers),
    role: text(t.role) || "other",
    kind: text(t.kind) || "weight",
    layers: text(t.layers),
    copies: count(t.copies),
    activeCopies,
    activeLow: count(t.active_low, activeCopies),
    stacked: count(stacked[0]) ? { size: count(stacked[0]), field: text(stacked[1]) } : null,
    tiedTo: text(t.tied_to),
    tiedRole: "",
    implied: t.implied === true,
    repeated: false,
    note: text(t.note),
    dtype: text(t.dtype),
  };
}

function readTensors(v: unknown): Tensor[] {
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
  const n = (key: string) => count(r[key]);
  const shared = "shares_kv_with" in r;
  return {
    layers: text(r.layers),
    count: layerCount(text(r.layers)),
    mixer: text(r.mixer),
    ffn: text(r.ffn),
    window: n("window"),
    cached: shared ? 0 : n("latent") || n("kv_heads") * (n("k_dim") + n("v_dim")),
    indexer: n("indexer"),
    compressed: n("compressed"),
    rate: n("rate") || 1,
    cross: n("cross"),
    crossTokens: "cross_tokens" in r ? n("cross_tokens") : null,
    state: n("state_elements"),
    stateFloat32: n("state_float32"),
    shared,
  };
}

const readPart = (v: unknown): Part => {
  const p = record(v);
  return { key: text(p.key), label: text(p.label) || text(p.key) };
};

function readGrammar(v: unknown): Grammar {
  const { parts, marks, units, ...patterns } = record(v);
  return { patterns, parts: list(parts), marks: list(marks), units: list(units) } as Grammar;
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
    text: text(c.text),
    source: text(c.source),
    url: text(c.url),
    quote: text(c.quote),
    off: texts(c.off),
    on: texts(c.on),
  };
}

function readProvenance(v: unknown): Provenance {
  const p = record(v);
  return {
    revision: text(p.revision),
    label: text(p.label) || text(p.kind),
    pin: text(p.pin),
    text: text(p.text),
    url: text(p.url),
    path: text(p.path),
    fetched: text(p.fetched),
  };
}

/** Reads `data`, or says in one sentence why it cannot be shown. Never throws. */
export function readWire(value: unknown): Wire | string {
  const data = record(value);
  if (Object.keys(data).length === 0) return "No model to show: this view has no data.";
  if (data.schema !== SCHEMA)
    return `This view reads data of schema ${SCHEMA}, and the data has ${"schema" in data ? `schema ${typeof data.schema === "number" ? data.schema : "of another kind"}` : "none"}. The saved output and paramwidget are of different versions: run the cell again.`;

  const tensors = readTensors(data.tensors);
  const broken = tensors.find((t) => !Number.isSafeInteger(t.numel * Math.max(t.copies, 1)));
  if (broken)
    return `The size of ${broken.name || "a tensor"} is more than 2^53 − 1: this view cannot count it.`;
  const roles = list(data.roles).map(readPart);
  // A role without a row would make the rows add up to less than the total.
  for (const { role } of tensors)
    if (!roles.some((r) => r.key === role)) roles.push({ key: role, label: role });
  const defaults = record(data.defaults);
  const grammar = readGrammar(data.grammar);
  const claims = list(data.claims).map((v) => bundled(v, grammar));
  const memory = record(data.memory);
  return {
    model: text(data.model) || "unnamed model",
    modelType: text(data.model_type),
    architecture: text(data.architecture),
    facts: texts(data.facts),
    provenance: readProvenance(data.provenance),
    tensors,
    roles,
    toggles: list(data.toggles).map((t) => ({ ...readPart(t), help: text(record(t).help) })),
    defaults: {
      stored: texts(defaults.stored),
      architectural: texts(defaults.architectural),
      active: texts(defaults.active),
    },
    presets: list(data.presets).map((v) => {
      const p = record(v);
      return {
        ...readPart(p),
        ...convention(p),
        citation: text(p.citation),
        url: text(p.url),
        documented: p.documented === true,
      };
    }),
    grammar,
    claims: claims.filter((c) => c !== null),
    headline: (typeof data.headline === "number" && claims[data.headline]) || null,
    defaulted: list(data.defaulted).map((v) => {
      const d = record(v);
      return {
        key: text(d.key),
        value: d.value === undefined ? "" : JSON.stringify(d.value),
        rule: text(d.rule),
      };
    }),
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
