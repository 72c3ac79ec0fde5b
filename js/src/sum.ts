/** The one sum, twin of breakdown.py: what a convention counts, and how two conventions differ. */
import type { Basis, Convention, Counted, Inventory } from "./wire";

/** Everything that can be left out, in the order in which departures are kept and applied. */
export const TOGGLES = [
  "embedding",
  "lm_head",
  "position",
  "per_layer_embedding",
  "encoder",
  "mtp",
  "vision",
  "audio",
  "projector",
  "router",
  "shared_expert",
  "norm",
  "bias",
  "buffer",
  "scale",
  "unread",
] as const;

type Keys = ReadonlySet<string>;

/** Departures in canonical order, without what is no toggle. */
export const canonical = (keys: readonly string[]): string[] => TOGGLES.filter((key) => keys.includes(key));

/** The roles and kinds that a convention leaves out. */
export function out(wire: Inventory, { basis, off, on }: Convention): Set<string> {
  const keys = new Set([...wire.defaults[basis], ...off]);
  for (const key of on) keys.delete(key);
  return keys;
}

export const leftOut = (tensor: Counted, keys: Keys): boolean =>
  keys.has(tensor.role) || keys.has(tensor.kind);

export const copies = (tensor: Counted, basis: Basis): number =>
  basis === "active" ? tensor.activeCopies : tensor.copies;

/**
 * Parameters that one tensor adds. A second name of a matrix adds nothing outside the architectural count,
 * except that the head takes the table over when the embedding is left out: the matrix is still used.
 */
export function counted(tensor: Counted, basis: Basis, keys: Keys): number {
  if (leftOut(tensor, keys)) return 0;
  const takesOver = tensor.role === "lm_head" && tensor.tiedRole === "embedding" && keys.has("embedding");
  if (tensor.tiedTo && basis !== "architectural" && !takesOver) return 0;
  return tensor.numel * copies(tensor, basis);
}

const sum = (wire: Inventory, basis: Basis, keys: Keys): number =>
  wire.tensors.reduce((total, tensor) => total + counted(tensor, basis, keys), 0);

export const total = (wire: Inventory, convention: Convention): number =>
  sum(wire, convention.basis, out(wire, convention));

/** The least that a token can use, where routing decides how many experts run. */
export function lowTotal(wire: Inventory, convention: Convention): number {
  const low = wire.tensors.map((t) => ({ ...t, activeCopies: t.activeLow }));
  return total({ ...wire, tensors: low }, convention);
}

/** Parameters by role; the values add up to the total. */
export function byRole(wire: Inventory, convention: Convention): Map<string, number> {
  const keys = out(wire, convention);
  const sums = new Map(wire.roles.map((role) => [role.key, 0]));
  for (const t of wire.tensors)
    sums.set(t.role, (sums.get(t.role) ?? 0) + counted(t, convention.basis, keys));
  return sums;
}

/** What flipping one toggle alone changes now, other departures as they are. */
export function effect(wire: Inventory, convention: Convention, key: string): number {
  const keys = out(wire, convention);
  const without = sum(wire, convention.basis, keys.add(key));
  keys.delete(key);
  return Math.abs(sum(wire, convention.basis, keys) - without);
}

/** The convention after one click on a toggle. */
export function flip(wire: Inventory, convention: Convention, key: string): Convention {
  const { basis } = convention;
  const has = (off: string[], on: string[]) => out(wire, { basis, off, on }).has(key);
  let off = [...convention.off];
  let on = [...convention.on];
  if (has(off, on)) {
    off = off.filter((k) => k !== key);
    if (has(off, on)) on.push(key);
  } else {
    on = on.filter((k) => k !== key);
    if (!has(off, on)) off.push(key);
  }
  return { basis, off: canonical(off), on: canonical(on) };
}

/** Whether two conventions count the same parts of this model: toggles that it lacks do not matter. */
export function sameConvention(wire: Inventory, a: Convention, b: Convention): boolean {
  if (a.basis !== b.basis) return false;
  const outA = out(wire, a);
  const outB = out(wire, b);
  return wire.toggles.every(({ key }) => outA.has(key) === outB.has(key));
}

export interface Step {
  /** a toggle, or "basis:<role>" for what a change of basis does to one role */
  key: string;
  label: string;
  delta: number;
}

export const labelOf = (parts: readonly { key: string; label: string }[], key: string): string =>
  parts.find((part) => part.key === key)?.label ?? key;

/**
 * Steps from one convention to another; their deltas add up exactly to the difference of the totals. A change of basis
 * comes first, but second names of matrices (stored to architectural) last: a part and its copies are two steps.
 */
export function bridge(wire: Inventory, from: Convention, to: Convention): Step[] {
  if (from.basis === "architectural" && to.basis === "stored")
    return bridge(wire, to, from)
      .reverse()
      .map((step) => ({ ...step, delta: -step.delta }));
  const namesLast = from.basis === "stored" && to.basis === "architectural";
  const start: Convention = { ...from, basis: namesLast ? from.basis : to.basis };
  const keys = out(wire, start);
  const target = out(wire, to);
  let present = sum(wire, start.basis, keys);
  const steps = TOGGLES.filter((key) => keys.has(key) !== target.has(key)).map((key): Step => {
    if (target.has(key)) keys.add(key);
    else keys.delete(key);
    const delta = sum(wire, start.basis, keys) - present;
    present += delta;
    return { key, label: labelOf(wire.toggles, key), delta };
  });
  const [a, b] = namesLast ? [{ ...to, basis: from.basis }, to] : [from, start];
  const before = byRole(wire, a);
  const change = [...byRole(wire, b)].map(
    ([role, n]): Step => ({
      key: `basis:${role}`,
      label: labelOf(wire.roles, role),
      delta: n - (before.get(role) ?? 0),
    }),
  );
  // Two steps that undo one another are none: MTP comes in with stored, and out again with its toggle.
  const undone = (s: Step) =>
    [...steps, ...change].some(
      (t) => t.delta === -s.delta && (t.key === `basis:${s.key}` || s.key === `basis:${t.key}`),
    );
  return (namesLast ? [...steps, ...change] : [...change, ...steps]).filter((s) => s.delta && !undone(s));
}
