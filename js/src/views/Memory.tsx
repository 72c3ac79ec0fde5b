/** What the counts mean for a machine: bytes of weights, of the cache that grows with the context, and of states. */
import {
  bytes,
  Fall,
  Fragment,
  Grid,
  h,
  integer,
  labelOf,
  Num,
  Pick,
  Swatch,
  say,
  tell,
  total,
} from "../core";
import type { Child } from "../dom";
import { DTYPES, memory } from "../memory";
import type { Scene, ViewProps } from "../scene";

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

const Bytes = ({ n }: { n: number | null }): Child => {
  if (!n) return n === 0 ? "0" : "not known";
  const [binary = "", decimal] = bytes(n).split(", ");
  return (
    <>
      <Num n={n} text={binary} unit=" bytes" /> <span class="pw-small pw-decimal">{decimal}</span>
    </>
  );
};

const FIELDS = [
  ["Context, tokens", "context", 1e9],
  ["Batch, sequences", "batch", 1e6],
] as const;

export function Memory({ scene }: ViewProps): Child {
  const { wire, ui, set } = scene;
  const m = memoryOf(scene);
  const active = total(wire, { basis: "active", off: [], on: [] });
  const whole = ([label, key, most]: (typeof FIELDS)[number]) => (
    <label class="pw-field">
      <span class="pw-soft">{label}</span>
      <input
        class="pw-input pw-count"
        type="number"
        min={1}
        max={most}
        value={String(ui[key])}
        aria-invalid={ui.wrong === key}
        onchange={({ currentTarget }) => {
          const n = (currentTarget as HTMLInputElement).valueAsNumber;
          set(Number.isInteger(n) && n > 0 && n <= most ? { [key]: n, wrong: "" } : { wrong: key });
        }}
      />
    </label>
  );
  const keeping = m.byKind.filter(({ kv, state }) => kv || state);
  const wrong = FIELDS.find(([, key]) => key === ui.wrong);
  const dtypes = Object.keys(DTYPES).map((name) => [name, name] as const);
  const together = m.weights === null ? null : m.weights + m.kv + m.state;
  const largest = Math.max(together ?? 0, m.reserved, 1);
  const rows: [label: string, n: number | null, note: string, role?: string][] = [
    [
      "weights",
      m.weights,
      m.weights === null
        ? say("choose")
        : ui.weights
          ? say((DTYPES[ui.weights] ?? 0) < 64 ? "in_16" : "all_in")
          : say("as_stored"),
    ],
  ];
  if (m.known) {
    rows.push(["cache", m.kv, m.byKind.length ? growthText(m.growth) : say("keeps_none"), "attention"]);
    if (m.state) rows.push(["states", m.state, say("always"), "ssm"]);
    rows.push(["together", together, say("least")]);
    if (m.reserved !== m.kv) rows.push(["full cache", m.reserved, say("reserved"), "attention"]);
  }
  return (
    <div>
      <div class="pw-controls">
        {FIELDS.map(whole)}
        <Pick
          label="Weights"
          value={ui.weights}
          options={[["", "as in the files"], ...dtypes]}
          pick={(weights) => set({ weights })}
        />
        <Pick label="Cache" value={ui.cache} options={dtypes} pick={(cache) => set({ cache })} />
      </div>
      <p role="status" class="pw-bad">
        {wrong && say("not_whole", wrong[0], integer(wrong[2]), integer(ui[wrong[1]]))}
      </p>
      <Grid
        caption={`Memory for ${integer(ui.batch)} × ${integer(ui.context)} tokens`}
        rows={rows.map(([label, n, note, role]) => [
          <>
            {label} <span class="pw-small">{note}</span>
          </>,
          n !== null && <Fall to={n / largest} role={role} />,
          <Bytes n={n} />,
        ])}
      />
      {m.known ? (
        keeping.length > 0 && (
          <Grid
            caption={say("kinds")}
            head={["layers", "bytes a token", "cache", "states"]}
            rows={keeping.map(({ kind, layers, window, perToken, kv, state }) => [
              `${integer(layers)} × ${say(kind)}${window ? ` of ${integer(window)}` : ""}`,
              integer(perToken),
              <Bytes n={kv} />,
              <Bytes n={state} />,
            ])}
          />
        )
      ) : (
        <p>{say("undescribed")}</p>
      )}
      <details>
        <summary>Weights by part</summary>
        <Grid
          caption="Weights by part"
          rows={[...m.byRole].map(([role, n]) => [
            <>
              <Swatch role={role} /> {labelOf(wire.roles, role)}
            </>,
            <Bytes n={n} />,
          ])}
        />
      </details>
      <p>{tell("figures", <b>Active</b>, <Num n={active} />, <Num n={2 * active} />, <b>Stored</b>)}</p>
      {m.experts.map(({ layers, all, used, touched }) => (
        <p>
          {say(
            "touches",
            integer(ui.batch),
            touched.toFixed(used === touched ? 0 : 1),
            integer(all),
            integer(layers),
            integer(used),
          )}
        </p>
      ))}
      <p class="pw-small pw-soft">{say("units")}</p>
    </div>
  );
}

/** "73,728 bytes a token, 36,864 past 128" */
const growthText = (growth: [tokens: number, bytes: number][]): string =>
  growth.map(([from, n]) => integer(n) + (from ? ` past ${integer(from)}` : " bytes a token")).join(", ");
