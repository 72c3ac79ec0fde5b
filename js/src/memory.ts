/** What a model takes of memory, twin of paramwidget/memory: weights, keys and values of a context, and states. */
import type { Run, Wire } from "./wire";

/** dtype -> bytes of 32 values, with the scales that its format has */
export const DTYPES: Record<string, number> = {
  float32: 128,
  bfloat16: 64,
  float16: 64,
  fp8: 32,
  int8: 32,
  mxfp8: 33,
  int4: 16,
  nvfp4: 18,
  mxfp4: 17,
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

/** A number as people write it, 131072, 131_072, 1e5, 128k or 128Ki, as on the command line; NaN where it is none. */
export function written(text: string): number {
  const [, units, part = "", power = 0, unit = "", binary] =
    /^(\d+)(?:\.(\d+))?(?:e\+?(\d\d?))?(?:([kmg])(i)?)?$/.exec(text.toLowerCase().replace(/[_,\s]/g, "")) ??
    [];
  // Whole until the last step, so that 1.005k is 1,005.
  const scale = (binary ? 1024 : 1000) ** " kmg".indexOf(unit) * 10 ** Number(power);
  return (Number(units && units + part) * scale) / 10 ** part.length;
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

/** Bytes; what is less than a millionth of one is a rounding error of an entry that is spread over its tokens. */
const size = (n: number, dtype: string): number => Math.ceil(n * ((DTYPES[dtype] ?? 64) / 32) - 1e-6) || 0;

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

export function memory(wire: Wire, o: MemoryOptions): Memory {
  const { context, batch, kvDtype, weightDtype } = o;
  const byRole = new Map(
    wire.weights.map(({ role, stored, elements, maps, fixed }) => {
      const converted = (DTYPES[weightDtype] ?? 64) < 64 ? maps : elements;
      return [role, weightDtype ? size(converted, weightDtype) + 2 * (elements - converted) + fixed : stored];
    }),
  );
  const weights = [...byRole.values()];

  // Attention to an encoder is a layer of its own, whose window is what the encoder puts out.
  const own = wire.runs.filter((r) => r.mixer !== "none" || !r.cross);
  const across = wire.runs.flatMap((r): Run[] => {
    const window = o.encoderLength ?? r.crossTokens ?? context;
    if (!r.cross || r.crossTokens === 0) return [];
    return [
      {
        ...r,
        mixer: "cross",
        shared: false,
        cached: r.cross,
        window,
        indexer: 0,
        compressed: 0,
        state: 0,
        stateFloat32: 0,
      },
    ];
  });
  const keys = (runs: readonly Run[], reserved = false) =>
    size(
      batch *
        sum(runs, (r) => {
          const seen =
            r.mixer === "cross" ? r.window : reserved || !r.window ? context : Math.min(context, r.window);
          return r.count * (seen * r.cached + Math.floor(context / r.rate) * (r.indexer + r.compressed));
        }),
      kvDtype,
    );
  const perToken = (runs: readonly Run[], at: number) =>
    size(
      sum(
        runs,
        (r) => r.count * ((r.window && at > r.window ? 0 : r.cached) + (r.indexer + r.compressed) / r.rate),
      ),
      kvDtype,
    );
  const states = (runs: readonly Run[]) =>
    batch *
    sum(
      runs,
      (r) =>
        r.count * (4 * r.stateFloat32 + size(r.state - r.stateFloat32, kvDtype === "float32" ? kvDtype : "")),
    );

  const growth: [number, number][] = [];
  for (const end of [0, ...own.map((r) => r.cached && r.window)].sort((a, b) => a - b)) {
    const each = perToken(own, end + 1);
    if (each !== growth.at(-1)?.[1]) growth.push([end, each]);
  }

  const runs = [...own, ...across];
  const groups = new Map<string, Run[]>();
  for (const r of runs) {
    const key = `${r.shared ? "shared" : r.mixer} ${r.cached && r.window}`;
    groups.set(key, [...(groups.get(key) ?? []), r]);
  }

  return {
    weights: weights.includes(null) ? null : sum(weights, Number),
    byRole,
    growth,
    kv: keys(runs),
    reserved: keys(runs, true),
    state: states(runs),
    byKind: [...groups].map(([key, alike]) => {
      const [kind = "", window] = key.split(" ");
      return {
        kind,
        layers: sum(alike, (r) => r.count),
        window: Number(window),
        perToken: perToken(alike, 1),
        kv: keys(alike),
        reserved: keys(alike, true),
        state: states(alike),
      };
    }),
    experts: wire.experts.map(([layers, all, used]) => ({
      layers,
      all,
      used,
      touched: all * (1 - (1 - used / all) ** batch),
    })),
    known: runs.length > 0,
  };
}
