/** Which layers there are, what is in each, and which are alike. */
import { copies, counted, indices, out } from "./core";
import type { Convention, Tensor, Wire } from "./wire";

/** Layers that are alike. */
export interface Kind {
  mixer: string;
  ffn: string;
  window: number;
  /** reads the cache of an earlier layer */
  shared: boolean;
  /** tokens of an encoder that it attends to, 0 where the encoder decides; null where it attends to none */
  across: number | null;
  layers: string;
  count: number;
  /** parameters of one layer that are counted now, and of each of its roles */
  size: number;
  parts: [role: string, n: number][];
}

export interface Stack {
  key: string;
  label: string;
  count: number;
  /** parameters of all its layers */
  size: number;
  /** the layers in their order */
  order: [index: number, kind: Kind][];
  kinds: Kind[];
}

/** Roles that have layers of their own, beside the stack that decodes. */
const SIDES = ["encoder", "vision", "audio", "mtp"];

/** Indices as ranges: 0, 1, 2, 5 is "0-2,5". */
function ranges(all: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const i of all) {
    const last = spans.at(-1);
    if (last && i === last[1] + 1) last[1] = i;
    else spans.push([i, i]);
  }
  return spans.map(([a, b]) => (a === b ? a : `${a}-${b}`)).join(",");
}

function stackOf(wire: Wire, now: Convention, key: string, label: string, tensors: readonly Tensor[]): Stack {
  const keys = out(wire, now);
  const layers = new Map<number, Map<string, number>>();
  for (const run of key === "stack" ? wire.runs : [])
    for (const i of indices(run.layers)) layers.set(i, new Map());
  for (const t of tensors) {
    const own = indices(t.layers);
    const each = counted(t, now.basis, keys) / own.length;
    for (const i of own) {
      const parts = layers.get(i) ?? new Map();
      parts.set(t.role, (parts.get(t.role) ?? 0) + each);
      layers.set(i, parts);
    }
  }
  const kinds = new Map<string, { kind: Kind; own: number[] }>();
  const order: [number, Kind][] = [];
  for (const [i, parts] of [...layers].sort(([a], [b]) => a - b)) {
    const run = key === "stack" ? wire.runs.find((r) => indices(r.layers).includes(i)) : undefined;
    const shown = [...parts].filter(([, n]) => n > 0);
    const { mixer = "", ffn = "", window = 0, shared = false, cross = 0, crossTokens = 0 } = run ?? {};
    const across = cross && crossTokens !== 0 ? (crossTokens ?? 0) : null;
    const name = JSON.stringify([mixer, ffn, window, shared, across, shown]);
    const size = shown.reduce((n, [, part]) => n + part, 0);
    const found = kinds.get(name) ?? {
      kind: { mixer, ffn, window, shared, across, layers: "", count: 0, size, parts: shown },
      own: [],
    };
    kinds.set(name, found);
    found.own.push(i);
    order.push([i, found.kind]);
  }
  for (const { kind, own } of kinds.values()) Object.assign(kind, { layers: ranges(own), count: own.length });
  const all = [...kinds.values()].map(({ kind }) => kind);
  return {
    key,
    label,
    count: order.length,
    size: all.reduce((n, kind) => n + kind.size * kind.count, 0),
    order,
    kinds: all,
  };
}

/** The stack that decodes, and those of encoders, towers and MTP; stacks of which nothing is counted have size 0. */
export function stacks(wire: Wire, now: Convention): Stack[] {
  const inLayers = wire.tensors.filter((t) => t.layers && copies(t, "stored") > 0);
  const side = (role: string) => inLayers.filter((t) => t.role === role);
  const main = inLayers.filter((t) => !SIDES.includes(t.role) && t.role !== "projector");
  const found = [stackOf(wire, now, "stack", "the stack", main)];
  for (const { key, label } of wire.roles)
    if (SIDES.includes(key)) found.push(stackOf(wire, now, key, label, side(key)));
  return found.filter((stack) => stack.count > 0);
}
