/** What a model takes of memory, twin of paramwidget/memory: weights, keys and values of a context, and states. */
import type { Run, Wire } from "./wire";

/** dtype -> the bits of one value, and how many values share one 8-bit scale (0: no scale in the format) */
export const DTYPES: Record<string, readonly [number, number]> = {
  float32: [32, 0],
  bfloat16: [16, 0],
  float16: [16, 0],
  fp8: [8, 0],
  int8: [8, 0],
  mxfp8: [8, 32],
  int4: [4, 0],
  nvfp4: [4, 16],
  mxfp4: [4, 32],
};

/** The kinds of layers, in the words that a reader sees. */
export const KINDS: Record<string, string> = {
  full: "full attention",
  sliding: "sliding window",
  chunked: "chunks",
  mla: "latent attention (MLA)",
  compressed: "window and compressed past",
  shared: "reads an earlier layer's cache",
  linear: "linear attention",
  ssm: "state space or convolution",
  none: "no mixer",
  cross: "cross-attention",
};

export interface MemoryOptions {
  /** tokens of each sequence */
  context: number;
  /** sequences at once */
  batch: number;
  /** a key of DTYPES; empty: as the files store them */
  weightDtype: string;
  /** a key of DTYPES */
  kvDtype: string;
  /** tokens of the encoder; null: what the architecture fixes, else as many as the context */
  encoderLength: number | null;
}

export interface KindMemory {
  kind: string;
  layers: number;
  /** tokens that these layers look back on; 0: all */
  window: number;
  /** bytes that a token of one sequence adds while these layers grow */
  perToken: number;
  kv: number;
  reserved: number;
  state: number;
}

export interface Memory {
  /** bytes; null where the config does not say how files store them */
  weights: number | null;
  byRole: Map<string, number | null>;
  /** from so many tokens on, one more of one sequence costs so many bytes */
  growth: [tokens: number, bytes: number][];
  /** bytes of what the layers can still see, for the whole batch */
  kv: number;
  /** the same where an engine allocates the full length in every layer */
  reserved: number;
  state: number;
  byKind: KindMemory[];
  /** layers that are alike, experts of each, experts a token uses there, and how many a batch is expected to touch */
  experts: { layers: number; all: number; used: number; touched: number }[];
  /** false where the layers are not described: then there are weights only */
  known: boolean;
}

function size(n: number, dtype: string): number {
  const [bits, block] = DTYPES[dtype] ?? [16, 0];
  return Math.ceil((n * bits) / 8) + (block && Math.ceil(n / block));
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

export function memory(wire: Wire, o: MemoryOptions): Memory {
  const { context, batch, kvDtype } = o;
  const bits = DTYPES[kvDtype]?.[0] ?? 16;
  const kv = (n: number) => size(n, kvDtype);
  const byRole = new Map(
    wire.weights.map(({ role, stored, elements, maps, fixed }) => {
      const converted = (DTYPES[o.weightDtype]?.[0] ?? 0) < 16 ? maps : elements;
      return [
        role,
        o.weightDtype ? size(converted, o.weightDtype) + 2 * (elements - converted) + fixed : stored,
      ];
    }),
  );
  const weights = [...byRole.values()];

  const encoded = (r: Run) => (r.crossTokens === 0 ? 0 : (o.encoderLength ?? r.crossTokens ?? context));
  const elements = (r: Run, reserved: boolean) =>
    (reserved || !r.window ? context : Math.min(context, r.window)) * r.cached +
    Math.floor(context / r.rate) * (r.indexer + r.compressed);
  const bytes = (runs: Run[], reserved = false) =>
    kv(batch * sum(runs, (r) => r.count * (elements(r, reserved) + r.cross * encoded(r))));
  const aToken = (runs: Run[], at: number) => {
    const grown = (r: Run) => (r.window && at > r.window ? 0 : r.cached);
    // An entry that stands for several tokens is spread over them.
    const per = [...new Set(runs.map((r) => r.rate))].reduce((product, rate) => product * rate, 1);
    const all = sum(runs, (r) => r.count * (grown(r) * per + (per / r.rate) * (r.indexer + r.compressed)));
    return Math.ceil(kv(all) / per);
  };
  const state = (runs: Run[]) =>
    batch *
    sum(runs, (r) => r.count * (4 * r.stateFloat32 + (Math.max(bits, 16) / 8) * (r.state - r.stateFloat32)));

  const { runs } = wire;
  const growth: [number, number][] = [[0, aToken(runs, 1)]];
  const ends = new Set(runs.filter((r) => r.window && r.cached).map((r) => r.window));
  for (const end of [...ends].sort((a, b) => a - b)) {
    const each = aToken(runs, end + 1);
    if (each !== growth.at(-1)?.[1]) growth.push([end, each]);
  }

  const groups = new Map<string, Run[]>();
  for (const r of runs) {
    const key = `${r.shared ? "shared" : r.mixer} ${r.cached && r.window}`;
    groups.set(key, [...(groups.get(key) ?? []), { ...r, cross: 0 }]);
  }
  const byKind: KindMemory[] = [];
  const across = runs.filter((r) => r.cross && r.crossTokens !== 0);
  for (const [key, own] of groups) {
    const [kind = "", window] = key.split(" ");
    if (kind === "none" && runs.some((r) => r.mixer === kind && r.cross)) continue;
    byKind.push({
      kind,
      layers: sum(own, (r) => r.count),
      window: Number(window),
      perToken: aToken(own, 1),
      kv: bytes(own),
      reserved: bytes(own, true),
      state: state(own),
    });
  }
  if (across[0]) {
    const whole = kv(batch * sum(across, (r) => r.count * r.cross * encoded(r)));
    byKind.push({
      kind: "cross",
      layers: sum(across, (r) => r.count),
      window: encoded(across[0]),
      perToken: kv(sum(across, (r) => r.count * r.cross)),
      kv: whole,
      reserved: whole,
      state: 0,
    });
  }

  return {
    weights: weights.includes(null) ? null : sum(weights, Number),
    byRole,
    growth,
    kv: bytes(runs),
    reserved: bytes(runs, true),
    state: state(runs),
    byKind,
    experts: wire.experts.map(([layers, all, used]) => ({
      layers,
      all,
      used,
      touched: batch === 1 ? used : all * (1 - (1 - used / all) ** batch),
    })),
    known: runs.length > 0,
  };
}
