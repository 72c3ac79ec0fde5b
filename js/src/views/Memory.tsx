/** What the counts mean for a machine: bytes of weights, of the cache that grows with the context, and of states. */
import { type Child, Fragment, h } from "../dom";
import { bytes, integer, short } from "../format";
import { DTYPES, KINDS, memory } from "../memory";
import type { Scene, ViewProps } from "../scene";
import { total } from "../sum";
import { Num, Pick, Swatch } from "./bits";

const memoryOf = ({ wire, ui }: Scene) =>
  memory(wire, {
    context: ui.context,
    batch: ui.batch,
    weightDtype: ui.weights,
    kvDtype: ui.cache,
    encoderLength: null,
  });

/** "60.8 GiB" */
const brief = (n: number): string => bytes(n).split(", ")[0] ?? "";

export function memoryFigure(scene: Scene): string {
  const { weights } = memoryOf(scene);
  return weights === null ? "" : brief(weights);
}

const Bytes = ({ n }: { n: number }): Child => {
  const [binary = "", decimal] = bytes(n).split(", ");
  return (
    <>
      <Num n={n} text={binary} unit=" bytes" />
      {decimal && <span class="pw-soft pw-small pw-decimal"> {decimal}</span>}
    </>
  );
};

export function Memory({ scene }: ViewProps): Child {
  const { wire, ui, set, id } = scene;
  const m = memoryOf(scene);
  const active = total(wire, { basis: "active", off: [], on: [] });
  const whole = (label: string, key: "context" | "batch", most: number) => (
    <label class="pw-field">
      <span class="pw-soft">{label}</span>
      <input
        class="pw-input pw-count"
        type="number"
        min={1}
        max={most}
        value={String(ui[key])}
        onchange={({ currentTarget }) => {
          const n = Math.round(Number((currentTarget as HTMLInputElement).value)) || 1;
          set({ [key]: Math.min(Math.max(n, 1), most) });
        }}
      />
    </label>
  );
  const dtypes = Object.keys(DTYPES).map((name) => [name, name] as const);
  const all = m.weights === null ? null : m.weights + m.kv + m.state;
  const largest = Math.max(all ?? 0, m.reserved, 1);
  const row = (label: string, n: number | null, note: Child, bar = "") => (
    <tr>
      <th scope="row">{label}</th>
      <td class="pw-fall" aria-hidden="true">
        {n !== null && <i class={bar} style={`width:${(100 * n) / largest}%`} />}
      </td>
      <td class="pw-end">{n === null ? "not known" : <Bytes n={n} />}</td>
      <td class="pw-small pw-soft">{note}</td>
    </tr>
  );
  return (
    <div>
      <div class="pw-controls">
        {whole("Context, tokens", "context", 1e9)}
        {whole("Batch, sequences", "batch", 1e6)}
        <Pick
          label="Weights"
          value={ui.weights}
          options={[["", "as in the files"], ...dtypes]}
          pick={(weights) => set({ weights })}
        />
        <Pick label="Cache" value={ui.cache} options={dtypes} pick={(cache) => set({ cache })} />
      </div>
      <table class="pw-exact pw-memory" aria-labelledby={`${id}-memory`}>
        <caption class="pw-hidden" id={`${id}-memory`}>
          Memory for {integer(ui.batch)} × {integer(ui.context)} tokens
        </caption>
        <tbody>
          {row(
            "weights",
            m.weights,
            m.weights === null
              ? "The config does not say how files store them: choose a type."
              : ui.weights
                ? "Below 16 bits, tables, lm_head, routers, norms, biases, convolutions and towers stay in 16."
                : "stored parameters, in the files' own types",
          )}
          {m.known && row("cache", m.kv, growthText(m.growth), "pw-role-attention")}
          {m.known && m.state > 0 && row("states", m.state, "whatever the context", "pw-role-ssm")}
          {all !== null && m.known && row("together", all, "the least that the architecture needs")}
          {m.known &&
            m.reserved !== m.kv &&
            row("cache, full length", m.reserved, "where an engine keeps the whole context in every layer")}
        </tbody>
      </table>
      {m.known ? <Kinds m={m} /> : <p>The layers of this model are not described: weights only.</p>}
      <details class="pw-by-role">
        <summary>Weights by part</summary>
        <table class="pw-exact">
          <tbody>
            {[...m.byRole].map(([role, n]) => (
              <tr data-role={role}>
                <th scope="row">
                  <Swatch role={role} /> {wire.roles.find(({ key }) => key === role)?.label ?? role}
                </th>
                <td>{n === null ? "not known" : <Bytes n={n} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <p>
        <b>Active</b> is the figure for bandwidth and arithmetic: a token reads <Num n={active} /> parameters
        and takes <Num n={2 * active} text={`${short(2 * active)} FLOPs`} /> (2 × active, attention over the
        context apart). <b>Stored</b> is the figure for memory. Neither is latency.
      </p>
      {m.experts.map(({ layers, all, used, touched }) => (
        <p>
          A batch of {integer(ui.batch)} is expected to touch {touched.toFixed(used === touched ? 0 : 1)} of{" "}
          {integer(all)} experts in each of {integer(layers)} layers, if routing is uniform ({integer(used)}{" "}
          for each token).
        </p>
      ))}
      <p class="pw-small pw-soft">1 GiB is 2^30 bytes, 1 GB is 10^9 bytes.</p>
    </div>
  );
}

/** "73,728 bytes a token, 36,864 past 128" */
const growthText = (growth: [tokens: number, bytes: number][]): string =>
  growth
    .map(([from, n]) => (from === 0 ? `${integer(n)} bytes a token` : `${integer(n)} past ${integer(from)}`))
    .join(", ");

function Kinds({ m }: { m: ReturnType<typeof memory> }): Child {
  const kept = m.byKind.filter(({ kv, state, perToken }) => kv + state + perToken > 0);
  if (kept.length === 0) return <p>This model keeps no cache.</p>;
  return (
    <table class="pw-exact pw-by-kind">
      <caption class="pw-hidden">Cache and states by kind of layer</caption>
      <thead>
        <tr>
          <th scope="col">layers</th>
          <th scope="col" class="pw-end">
            bytes a token
          </th>
          <th scope="col" class="pw-end">
            cache
          </th>
          <th scope="col" class="pw-end">
            states
          </th>
        </tr>
      </thead>
      <tbody>
        {kept.map(({ kind, layers, window, perToken, kv, state }) => (
          <tr>
            <th scope="row">
              {integer(layers)} × {KINDS[kind] ?? kind}
              {window > 0 && ` of ${integer(window)}`}
            </th>
            <td>{integer(perToken)}</td>
            <td>{kv > 0 ? <Bytes n={kv} /> : "0"}</td>
            <td>{state > 0 ? <Bytes n={state} /> : "0"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
