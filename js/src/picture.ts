/** The picture's layout: which parts are drawn, how long, and which of them the claim counts. */
import { expertsPerLayer } from "./layers";
import { byRole, out, total } from "./sum";
import type { Basis, Convention, Wire } from "./wire";

export interface Segment {
  role: string;
  label: string;
  /** parameters that give the length, whether or not they are counted now */
  size: number;
  /** parameters counted now */
  counted: number;
  out: boolean;
  /** cells to draw: the experts of a layer that this stretch stands for */
  cells: number;
}

export interface Picture {
  /** the parts on the reader's basis */
  bar: Segment[];
  barSize: number;
  /** what one token uses of all there is; empty where nothing lies idle, and one bar says it all */
  lit: Segment[];
  /** parts under a threshold, drawn side by side so that one label can name them */
  small: string[];
  /** what is stored and not used by a token */
  idle: Segment[];
  wholeSize: number;
  wholeBasis: Basis;
  experts: { used: number; all: number } | null;
}

// Below this share a part is too narrow for a label of its own at half the width of a page.
const SMALL = 0.02;

const sizeOf = (segments: readonly Segment[]) => segments.reduce((n, s) => n + s.size, 0);

/** The head that shares the table's matrix: one stretch of the bar, counted under either name. */
const tiedHead = (wire: Wire) => wire.tensors.some((t) => t.role === "lm_head" && t.tiedRole === "embedding");

function segments(wire: Wire, basis: Basis, now: Convention): Segment[] {
  const sizes = byRole(wire, { basis, off: [], on: now.on });
  const counts = byRole(wire, { ...now, basis });
  const keys = out(wire, now);
  const shared = basis !== "architectural" && tiedHead(wire);
  const all = wire.roles.map(({ key, label }): Segment => {
    const both = shared && key === "embedding";
    const head = wire.roles.find((role) => role.key === "lm_head")?.label ?? "lm_head";
    return {
      role: key,
      label: both ? `${label} = ${head}` : label,
      size: sizes.get(key) ?? 0,
      counted: (counts.get(key) ?? 0) + (both ? (counts.get("lm_head") ?? 0) : 0),
      out: keys.has(key) && (!both || keys.has("lm_head")),
      cells: 1,
    };
  });
  return all.filter((s) => s.size > 0);
}

/** Draws the small parts side by side, where the first of them stands in model order. */
function gather(parts: Segment[]): { bar: Segment[]; small: string[] } {
  const whole = sizeOf(parts);
  const small = parts.filter((s) => s.size < SMALL * whole);
  const first = parts.findIndex((s) => s.size < SMALL * whole);
  if (first < 0) return { bar: parts, small: [] };
  const large = parts.filter((s) => s.size >= SMALL * whole);
  return {
    bar: [...large.slice(0, first), ...small, ...large.slice(first)],
    small: small.map((s) => s.role),
  };
}

export function picture(wire: Wire, now: Convention): Picture {
  const wholeBasis = now.basis === "architectural" ? "architectural" : "stored";
  const whole = segments(wire, wholeBasis, now);
  const used = segments(wire, "active", now);
  const wholeSize = sizeOf(whole);
  const usedOf = (role: string) => used.find((s) => s.role === role)?.size ?? 0;
  const sparse = whole.some((s) => usedOf(s.role) > 0 && usedOf(s.role) < s.size);
  if (!sparse || used.length === 0)
    return { ...gather(whole), barSize: wholeSize, lit: [], idle: [], wholeSize, wholeBasis, experts: null };

  const routed = wire.tensors.find((t) => t.role === "routed_expert");
  const experts = routed ? expertsPerLayer(routed) : null;
  const lit = gather(used).bar;
  const { bar, small } = now.basis === "active" ? gather(used) : gather(whole);
  for (const s of [...lit, ...bar])
    if (s.role === "routed_expert" && experts) s.cells = now.basis === "active" ? experts.used : experts.all;
  const idle = whole
    .map((s) => ({
      ...s,
      size: s.size - usedOf(s.role),
      cells: s.role === "routed_expert" && experts ? experts.all - experts.used : 1,
    }))
    .filter((s) => s.size > 0)
    // Idle experts next to those in use, then what no token uses at all.
    .sort((a, b) => Number(b.role === "routed_expert") - Number(a.role === "routed_expert"));
  return { bar, small, barSize: sizeOf(bar), lit, idle, wholeSize, wholeBasis, experts };
}

export interface Run {
  counted: boolean;
  size: number;
}

/**
 * Stretches of the bar that a reading counts and leaves out, for the bracket below it. None where the parts as they
 * are drawn do not add up to the reading's own total: a bracket would then span another number than it names.
 */
export function runs(wire: Wire, bar: readonly Segment[], reading: Convention): Run[] {
  if (bar.some((s) => !s.out && s.counted !== s.size)) return [];
  const sums = byRole(wire, reading);
  const merged = bar.some((s) => s.role === "embedding") && !bar.some((s) => s.role === "lm_head");
  const found: Run[] = [];
  for (const s of bar) {
    const n = (sums.get(s.role) ?? 0) + (merged && s.role === "embedding" ? (sums.get("lm_head") ?? 0) : 0);
    const last = found.at(-1);
    if (last && last.counted === n > 0) last.size += s.size;
    else found.push({ counted: n > 0, size: s.size });
  }
  const spanned = found.reduce((n, run) => n + (run.counted ? run.size : 0), 0);
  return spanned === total(wire, reading) ? found : [];
}
