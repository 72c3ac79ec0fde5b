/** What a claim fits: every convention of a model, held against the printed digits; twin of reconcile.py. */
import { integer, series } from "../format";
import { layerCount } from "../layers";
import { say } from "../say";
import { copies, labelOf, out, TOGGLES, total } from "../sum";
import type { Basis, Convention, Preset, Tensor, Wire } from "../wire";
import { type Claim, type Num, value } from "./claim";
import { sentence } from "./words";

export interface Match extends Convention {
  /** the exact count; bytes for a claim of bytes */
  total: number;
  /** the least that a token can use, where routing decides; else the same */
  low: number;
  departures: number;
  cost: number;
  /** what the reading of the digits alone costs: nothing if they are rounded */
  slack: number;
  /** key of the preset documented for this type of model, or "" */
  preset: string;
  /** fits only with digits cut off */
  cut: boolean;
  /** 0, or the significant digits where trailing zeros were taken as none */
  digits: number;
}

export type Kind = "match" | "ambiguous" | "truncated" | "contradiction" | "none";

export interface Verdict {
  claim: Claim;
  kind: Kind;
  /** best first; the first `rivals` are equally good */
  matches: Match[];
  rivals: number;
  /** the first match, or what comes nearest; null where nothing can be compared */
  nearest: Match | null;
  /** the printed number less nearest.total, and that in percent of it, to the hundredth */
  gap: number | null;
  gapPercent: number | null;
  /** the part whose size makes up for the gap to the printed digits, where nothing fits */
  part: { label: string; size: number } | null;
  /** "embedding and lm_head are both 579,133,440" */
  because: string;
  /** the words that tell rivals apart: of the source, else of a preset */
  decidedBy: { text: string; url: string } | null;
  note: string;
  /** the whole of it in words */
  text: string;
}

/** What is known to be left out or counted at will, the two tables first; all else is a last resort. */
const CHEAP = "embedding lm_head position per_layer_embedding encoder mtp vision audio projector".split(" ");
const MOST = 12;

interface Row {
  name: string;
  role: string;
  kind: string;
  n: number;
  least: number;
  over: boolean;
}
type Form = [low: Num, high: Num, cut: boolean, digits: number, cost: number];

/** What one basis counts, by mask: bit i says that toggle keys[i] departs from the default. */
interface Space {
  basis: Basis;
  keys: string[];
  /** those that the claim can mean, and with fewer digits no others */
  masks: number[];
  count(mask: number): number;
  least(mask: number): number;
  cost(mask: number): number;
  presets: Map<number, Preset>;
  allows(mask: number, number: Num): boolean;
  maskOf(c: { off: readonly string[]; on: readonly string[] }): number;
  /** routing decides how many are used */
  varies: boolean;
  /** the same for two that count the same under every mask */
  name: string;
}

const bits = (n: number): number => (n ? (n & 1) + bits(n >> 1) : 0);

/** The least and the most that become the digits, rounded half up or cut off. */
function span({ digits, places, unit }: Num, cut: boolean): [number, number] {
  const size = 2n * 10n ** BigInt(places);
  const from = (twice: number) => Number((BigInt(twice) * BigInt(unit) + size - 1n) / size);
  const start = 2 * digits - (cut ? 0 : 1);
  return [from(start), from(start + 2) - 1];
}

function forms({ low, high }: Claim): Form[] {
  const found: Form[] = [[low, high, false, 0, 0]];
  let { digits, unit } = low;
  for (let cost = 2; low === high && !low.places && digits > 9 && digits % 10 === 0; cost += 2) {
    digits /= 10;
    unit *= 10;
    const short = { ...low, digits, unit };
    found.push([short, short, false, `${digits}`.length, cost]);
  }
  return [...found, [low, high, true, 0, 2]];
}

/** What each tensor adds to what the claim speaks of; null where its bytes are not known. */
function rowsOf(wire: Wire, c: Claim, basis: Basis): Row[] | null {
  const found: Row[] = [];
  const last = (t: Tensor) => Number(/\d+$/.exec(t.layers)?.[0] ?? -1);
  let chosen = wire.tensors.filter(
    ({ role, kind }) => !c.parts.length || c.parts.includes(role) || c.parts.includes(kind),
  );
  if (c.each) {
    chosen = chosen.filter((t) => c.parts.length || !wire.defaults.active.includes(t.role));
    const top = Math.max(0, ...chosen.map(last));
    chosen = chosen.filter((t) => last(t) === top && (c.each === "layer" || t.role === "routed_expert"));
  }
  for (const t of chosen) {
    const { name, kind } = t;
    // How the tables of positions in vision towers are named.
    const table = c.parts.length && c.bits === null && /position|pos_emb/.test(name);
    const role = table ? "position" : t.role;
    const tied = t.tiedTo !== "" && basis !== "architectural";
    const over = tied && role === "lm_head" && t.tiedRole === "embedding";
    let each = t.numel;
    if (c.bits !== null) {
      const size = c.bits || Number(/\d+/.exec(t.dtype)?.[0] ?? 0);
      if (!size) return null;
      if (tied || (c.bits && kind === "scale")) continue;
      each *= size;
    }
    if (tied && !over) continue;
    const of = (n: number) => {
      if (c.each) return each * (c.each === "expert" ? 1 : Math.floor(n / layerCount(t.layers)));
      return c.times && role === "routed_expert" ? Math.floor((each * n) / c.times) : each * n;
    };
    const n = of(copies(t, basis));
    found.push({ name, role, kind, n, least: basis === "active" ? of(t.activeLow) : n, over });
  }
  return found;
}

/** Whether it speaks of the parameters of the whole model. */
const ofModel = (c: Claim): boolean => !c.parts.length && !c.each && !c.times && c.bits === null;

function space(wire: Wire, c: Claim, basis: Basis, rows: readonly Row[]): Space {
  const only = c.bits !== null ? ["mtp"] : c.times ? CHEAP.slice(0, 2) : TOGGLES;
  const has = new Set(rows.flatMap(({ role, kind, n }) => (n ? [role, kind] : [])));
  const keys = TOGGLES.filter((key) => has.has(key) && only.some((k) => k === key));
  const defaults = wire.defaults[basis].filter((key) => only === TOGGLES || keys.some((k) => k === key));
  const bit = (key: string) => {
    const i = (keys as string[]).indexOf(key);
    return i < 0 ? 0 : 1 << i;
  };
  const mask = (given: readonly string[]) => given.reduce((sum, key) => sum | bit(key), 0);
  const usual = mask(defaults);
  // Tensors that the same toggles move are one cell; what has no toggle and is out by default is in none.
  const cells = new Map<string, [at: number, over: number, n: number, least: number]>();
  for (const { role, kind, n, least, over } of rows) {
    if ([role, kind].some((key) => defaults.includes(key) && !bit(key))) continue;
    const at = bit(role) | bit(kind);
    const name = `${at},${over}`;
    const [, , a, b] = cells.get(name) ?? [0, 0, 0, 0];
    cells.set(name, [at, over ? bit("embedding") : -1, a + n, b + least]);
  }
  const costs: number[] = [];
  const speaks = [...c.without, ...c.including];
  let [frozen, fixed, dear] = [0, 0, 0];
  for (const key of keys) {
    let cost = CHEAP.includes(key) || key === "scale" ? 1 : 4;
    if (speaks.includes(key)) {
      frozen |= bit(key);
      if (c.without.includes(key) !== defaults.includes(key)) fixed |= bit(key);
      cost = 0;
    } else if (c.loose.includes(key)) cost = 0;
    else if (speaks.length && (cost > 1 || CHEAP.slice(0, 2).includes(key))) frozen |= bit(key);
    else if (cost > 1 && !c.parts.length && !c.each) dear |= bit(key);
    costs.push(cost);
  }
  const maskOf: Space["maskOf"] = ({ off, on }) =>
    mask(off.filter((key) => !defaults.includes(key))) | mask(on.filter((key) => defaults.includes(key)));
  const presets = new Map<number, Preset>();
  if (ofModel(c))
    for (const p of wire.presets)
      if (p.documented && p.basis === basis && !presets.has(maskOf(p))) presets.set(maskOf(p), p);
  // What nobody is known to leave out needs five digits.
  const exact = ({ digits }: Num) => digits > 9999;
  let masks = [fixed];
  for (const key of keys)
    if (!(bit(key) & (exact(c.high) ? frozen : frozen | dear)))
      masks = masks.concat(masks.map((at) => at | bit(key)));
  for (const at of presets.keys()) if ((at & frozen) === fixed && !masks.includes(at)) masks.push(at);
  const size = c.bits === null ? 1 : 8;
  const parts = [...cells.values()];
  // What is counted under a mask is the sum of the cells of which no toggle is out.
  const sum = (which: 2 | 3) => (at: number) => {
    const gone = at ^ usual;
    let n = 0;
    for (const cell of parts) if (!(cell[0] & gone) && (cell[1] < 0 || cell[1] & gone)) n += cell[which];
    return Math.floor(n / size);
  };
  return {
    basis,
    keys,
    masks,
    count: sum(2),
    least: sum(3),
    cost: (at) => costs.reduce((n, cost, i) => ((at >> i) & 1 ? n + cost : n), 0),
    presets,
    allows: (at, number) => (at & frozen) === fixed && (!(at & dear) || exact(number) || presets.has(at)),
    maskOf,
    varies: parts.some(([, , n, least]) => n !== least),
    name: `${[
      usual,
      keys,
      ...parts
        .filter(([, , n]) => n)
        .map(([at, over, n]) => `${at} ${over} ${n}`)
        .sort(),
    ]}`,
  };
}

const before = (a: readonly number[], b: readonly number[]): number => {
  const i = a.findIndex((n, j) => n !== b[j]);
  return i < 0 ? 0 : (a[i] as number) - (b[i] as number);
};

/** Hold a claim against every way of counting a model. Never throws. */
export function reconcile(wire: Wire, c: Claim): Verdict {
  const goal = value(c.high);
  const all: Space[] = [];
  for (const basis of c.bases) {
    const rows = rowsOf(wire, c, basis);
    if (!rows) break;
    const s = space(wire, c, basis, rows);
    if (!all.some(({ name }) => name === s.name)) all.push(s);
  }
  const rank = (s: Space, mask: number): number[] => [
    s.presets.has(mask) ? 0 : 1,
    s.cost(mask),
    Math.abs(s.count(mask) - goal),
    all.indexOf(s),
    mask,
  ];
  const match = (s: Space, mask: number, [, , cut, digits, cost]: Form): Match => {
    const keys = s.keys.filter((_, i) => (mask >> i) & 1);
    const out = wire.defaults[s.basis];
    return {
      basis: s.basis,
      off: keys.filter((key) => !out.includes(key)),
      on: keys.filter((key) => out.includes(key)),
      total: s.count(mask),
      low: s.least(mask),
      departures: keys.length,
      cost: s.cost(mask) + cost,
      slack: cost,
      preset: s.presets.get(mask)?.key ?? "",
      cut,
      digits,
    };
  };
  const plain: Form = [c.low, c.high, false, 0, 0];
  const verdict = (kind: Kind, nearest: Match | null, more: Partial<Verdict> = {}): Verdict => {
    const total = nearest?.total || 0;
    const gap = goal - total;
    const share = Math.floor((1e4 * Math.abs(gap)) / total + 0.5) / 100;
    const v: Verdict = {
      claim: c,
      kind,
      matches: [],
      rivals: 0,
      nearest,
      gap: nearest && gap,
      gapPercent: total ? (gap < 0 ? -share : share) : null,
      part: null,
      because: "",
      decidedBy: null,
      note: "",
      text: "",
      ...more,
    };
    v.text = `${c.text}: ${kind}. ${sentence(wire, v)}`;
    return v;
  };
  const missed = (kind: Kind, at: Match, note = ""): Verdict => {
    const [least, most] = span(c.high, false);
    const less = at.total > most;
    const gap = Math.abs(goal - at.total);
    // Bytes are of scales, too.
    const left = c.bits === null ? out(wire, at) : new Set<string>(at.off);
    const sizes = new Map<string, number>();
    for (const { name, role, kind: of, n } of rowsOf(wire, c, at.basis) ?? []) {
      // It is not counted, so it cannot be what is missing.
      if (less && (left.has(role) || left.has(of))) continue;
      const size = c.bits === null ? n : Math.floor(n / 8);
      const key = c.parts.length || size === gap ? name : of === "weight" ? role : of;
      sizes.set(key, (sizes.get(key) ?? 0) + size);
    }
    const [[key, size] = ["", 0]] = [...sizes].sort(([, a], [, b]) => Math.abs(a - gap) - Math.abs(b - gap));
    const label = labelOf([...wire.roles, ...wire.toggles], key);
    const fits = (n: number) => n >= least && n <= most;
    // Of a range, one end may fit.
    const told = !fits(at.total) && fits(at.total + (less ? -size : size));
    return verdict(kind, at, { part: told ? { label, size } : null, note });
  };
  /** Nearest in printed digits first, then the cheapest, then the closest. */
  const nearest = (): Match => {
    const size = Math.max(Math.floor(c.high.unit / 10 ** c.high.places), 1);
    const digits = Math.floor(goal / size);
    let best: [number[], Space, number] | null = null;
    for (const s of all)
      for (const mask of s.masks) {
        const apart = Math.abs(Math.floor(s.count(mask) / size + 0.5) - digits);
        if (best && apart > (best[0][0] ?? 0)) continue;
        const here = [apart, ...rank(s, mask)];
        if (!best || before(here, best[0]) < 0) best = [here, s, mask];
      }
    const [, s = all[0] as Space, mask = 0] = best ?? [];
    return match(s, mask, plain);
  };

  if (all.length === 0)
    return verdict("none", null, {
      note: say("no_bytes"),
    });
  const note = c.times
    ? say("no_sum", c.times, c.number, integer(total(wire, { basis: "stored", off: [], on: [] })))
    : averaged(c, all)
      ? say("no_average")
      : "";
  const stated = c.off.length + c.on.length > 0;
  const same = (m: Match) => stated && `${[m.basis, m.off, m.on]}` === `${[c.basis, c.off, c.on]}`;
  let found = matches(all, c, rank, match);
  if (stated && !found.some(same)) {
    const s = all.find(({ basis }) => basis === c.basis) ?? (all[0] as Space);
    return missed("contradiction", match(s, s.maskOf(c), plain));
  }
  if (stated) found = [...found.filter(same), ...found.filter((m) => !same(m))];
  const [first] = found;
  if (!first) {
    const states = c.without.length + c.including.length > 0;
    let more = note;
    if (!states && c.basis === "stored" && ofModel(c)) {
      const active = reconcile(wire, { ...c, basis: "active", bases: ["active"], remark: "" });
      if (active.matches.length) more = `Of active parameters: ${active.kind}. ${sentence(wire, active)}`;
    }
    return missed(states ? "contradiction" : "none", nearest(), more);
  }
  const rival = (m: Match) => m.cost <= first.cost && m.cut === first.cut && m.digits === first.digits;
  const rivals = found.filter(rival);
  const preset = wire.presets.find(({ key }) => key === first.preset);
  const words = stated ? { text: c.quote, url: c.url } : preset && { text: preset.citation, url: preset.url };
  return verdict(
    first.cut ? "truncated" : rivals.length > 1 || averaged(c, all) ? "ambiguous" : "match",
    first,
    {
      matches: [...rivals, ...found.filter((m) => !rival(m))].slice(0, MOST),
      rivals: rivals.length,
      because: because(wire, all, rivals),
      decidedBy: (rivals.length > 1 && words) || null,
      note,
    },
  );
}

/** An average over what a router chose, which lies somewhere between the two ends. */
const averaged = (c: Claim, all: readonly Space[]): boolean => c.average && all.some(({ varies }) => varies);

/** The best convention of each class that fits, best first. */
function matches(
  all: readonly Space[],
  c: Claim,
  rank: (s: Space, mask: number) => number[],
  match: (s: Space, mask: number, form: Form) => Match,
): Match[] {
  const found = new Map<string, Match>();
  const fitted = new Map(all.map((s) => [s, new Set<number>()]));
  for (const form of forms(c)) {
    const [low, high, cut] = form;
    const goal = value(high);
    const any = [0, Number.MAX_SAFE_INTEGER];
    const [[a = 0, b = 0], [from = 0, to = 0]] = averaged(c, all)
      ? [
          [0, goal],
          [goal, goal * goal],
        ]
      : [low === high ? any : span(low, cut), span(high, cut)];
    const nodes = new Map(all.map((s) => [s, new Set<number>()]));
    const ranks: [number[], Space, number][] = [];
    for (const [s, fit] of nodes)
      for (const mask of s.masks) {
        const n = s.count(mask);
        // What rounds is not called cut off.
        if (n < from || n > to || fitted.get(s)?.has(mask)) continue;
        const least = s.least(mask);
        if (least < a || least > b || !s.allows(mask, high)) continue;
        fit.add(mask);
        ranks.push([rank(s, mask), s, mask]);
      }
    for (const [, s, mask] of ranks) fitted.get(s)?.add(mask);
    let classes = 0;
    for (const [, s, mask] of ranks.sort(([x], [y]) => before(x, y))) {
      const own = nodes.get(s);
      if (classes === MOST || !own?.has(mask)) continue;
      classes++;
      const m = match(s, mask, form);
      const name = `${[m.basis, m.off, m.on]}`;
      const other = found.get(name);
      if (!other || other.cost > m.cost) found.set(name, m);
      // What differs only by toggles, or a basis, that move no printed digit is the same class.
      const still = s.keys.filter((_, i) => own.has(mask ^ (1 << i)));
      for (const [t, fit] of nodes) {
        const start = t === s ? mask : t.maskOf(m);
        if (!fit.has(start)) continue;
        const free = t.keys.reduce((sum, key, i) => (still.includes(key) ? sum | (1 << i) : sum), 0);
        for (const at of fit) if (!((at ^ start) & ~free)) fit.delete(at);
      }
    }
  }
  // The departures of a documented convention cost nothing.
  const key = (m: Match) => [
    m.preset ? m.slack : m.cost,
    m.preset ? 0 : 1,
    m.cost,
    Number(m.cut),
    m.digits,
    Math.abs(m.total - value(c.high)),
  ];
  return [...found.values()].sort((x, y) => before(key(x), key(y)));
}

/** "embedding and lm_head are both 579,133,440": the single parts by which rivals of one count differ. */
function because(wire: Wire, all: readonly Space[], rivals: readonly Match[]): string {
  const [first] = rivals;
  const s = all.find(({ basis }) => basis === first?.basis);
  if (!s || rivals.length < 2 || rivals.some((m) => m.total !== first?.total || m.basis !== s.basis))
    return "";
  const masks = rivals.map(s.maskOf);
  const common = masks.reduce((a, b) => a & b);
  const sizes = new Set(masks.map((mask) => Math.abs(s.count(common) - s.count(mask))));
  const own = masks.map((mask) => mask & ~common);
  if (sizes.size > 1 || own.some((mask) => bits(mask) !== 1)) return "";
  const parts = own.map((mask) => labelOf(wire.toggles, s.keys[Math.log2(mask)] ?? ""));
  return `${series(parts)} are ${parts.length === 2 ? "both" : "each"} ${integer([...sizes][0] ?? 0)}`;
}
