/** The picture's layout: which parts are drawn, how long, and which of them the claim counts. */

import { percent, short, times } from "./format";
import { expertsPerLayer } from "./layers";
import { say } from "./say";
import { byRole, labelOf, out } from "./sum";
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
  /** what one token uses of all there is; empty where nothing lies idle, and one bar says it all */
  lit: Segment[];
  /** what is stored and not used by a token */
  idle: Segment[];
  wholeBasis: Basis;
  /** share of the experts in what is counted of all there is */
  share: string;
  experts: { used: number; all: number } | null;
}

export const sizeOf = (segments: readonly Segment[]): number => segments.reduce((n, s) => n + s.size, 0);

/** The head that shares the table's matrix: one stretch of the bar, counted under either name. */
const tiedHead = (wire: Wire) => wire.tensors.some((t) => t.role === "lm_head" && t.tiedRole === "embedding");

function segments(wire: Wire, basis: Basis, now: Convention): Segment[] {
  const sizes = byRole(wire, { basis, off: [], on: now.on });
  const counts = byRole(wire, { ...now, basis });
  const keys = out(wire, now);
  const shared = basis !== "architectural" && tiedHead(wire);
  return wire.roles
    .map(({ key, label }): Segment => {
      const both = shared && key === "embedding";
      const head = labelOf(wire.roles, "lm_head");
      return {
        role: key,
        label: both ? `${label} = ${head}` : label,
        size: sizes.get(key) ?? 0,
        counted: (counts.get(key) ?? 0) + (both ? (counts.get("lm_head") ?? 0) : 0),
        out: keys.has(key) && (!both || keys.has("lm_head")),
        cells: 1,
      };
    })
    .filter((s) => s.size > 0);
}

export function picture(wire: Wire, now: Convention): Picture {
  const wholeBasis = now.basis === "architectural" ? "architectural" : "stored";
  const whole = segments(wire, wholeBasis, now);
  const lit = segments(wire, "active", now);
  const usedOf = (role: string) => lit.find((s) => s.role === role)?.size ?? 0;
  const sparse = whole.some((s) => usedOf(s.role) > 0 && usedOf(s.role) < s.size);
  if (!sparse) return { bar: whole, lit: [], idle: [], wholeBasis, share: "", experts: null };

  const routed = wire.tensors.find((t) => t.role === "routed_expert");
  const experts = routed ? expertsPerLayer(routed) : null;
  const cells = (parts: Segment[], n: number | undefined) =>
    parts.map((s) => (s.role === "routed_expert" ? { ...s, cells: n ?? 1 } : s));
  const active = now.basis === "active";
  const count = (parts: Segment[]) => parts.reduce((n, s) => n + s.counted, 0);
  return {
    bar: cells(active ? lit : whole, active ? experts?.used : experts?.all),
    lit: cells(lit, experts?.used),
    idle: cells(whole, experts ? experts.all - experts.used : 1)
      .map((s) => ({ ...s, size: s.size - usedOf(s.role) }))
      .filter((s) => s.size > 0)
      // Idle experts next to those in use, then what no token uses at all.
      .sort((a, b) => Number(b.role === "routed_expert") - Number(a.role === "routed_expert")),
    wholeBasis,
    share: percent(count(whole.filter(isRouted)), count(whole)),
    experts,
  };
}

export const isRouted = ({ role }: Segment): boolean => role === "routed_expert";

/** What lies idle, in words: "stored: 98.2% in experts, 124 of 128 idle for a given token, 111.12B". */
export function idleText({ idle, share, experts, wholeBasis }: Picture): string {
  const part = idle.find(isRouted);
  if (!part) return wholeBasis + say("unused");
  return `${wholeBasis}: ${share} in experts${experts ? say("idle", part.cells, experts.all, short(part.size)) : ""}`;
}

/** The label of the parts in use, which have a bar of their own: "active: what one token uses, drawn 20.5 × wider". */
export const litText = ({ lit, idle }: Picture, basis: Basis): string =>
  basis === "active" ? say("used", times(sizeOf(lit) + sizeOf(idle), sizeOf(lit))) : "";
