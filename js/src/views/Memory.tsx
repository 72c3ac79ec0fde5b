/** What the counts mean for a machine: bytes of weights, of the cache that grows with the context, and of states. */
import { bytes, Fall, Fragment, Grid, h, integer, labelOf, Num, Pick, Swatch, say, tell } from "../core";
import type { Child } from "../dom";
import { DTYPES, type KindMemory, memory, written } from "../memory";
import type { Scene, ViewProps } from "../scene";

/** Tokens of a sequence: no more than the positions that the config names, unless asked otherwise. */
const contextOf = ({ wire, ui }: Scene): number => ui.context || Math.min(32_768, wire.positions);

const memoryOf = (scene: Scene) => {
  const { wire, ui } = scene;
  return memory(wire, {
    context: contextOf(scene),
    batch: ui.batch,
    weightDtype: ui.weights,
    kvDtype: ui.cache,
    encoderLength: null,
  });
};

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
  const context = contextOf(scene);
  const values = { context, batch: ui.batch };
  const [read = 0, active = 0, looked = 0, multiplied = 0] = wire.token;
  const whole = ([label, key, most]: (typeof FIELDS)[number]) => (
    <label class="pw-field">
      <span class="pw-soft">{label}</span>
      <input
        class="pw-input pw-count"
        value={String(values[key])}
        aria-invalid={ui.wrong === key}
        onchange={({ currentTarget }) => {
          const n = written((currentTarget as HTMLInputElement).value);
          set(Number.isInteger(n) && n > 0 && n <= most ? { [key]: n, wrong: "" } : { wrong: key });
        }}
      />
    </label>
  );
  const keeping = m.byKind.filter(({ kv, state }) => kv || state);
  const keeps = keeping.length > 0;
  // A control that changes nothing here is not drawn.
  const fields = FIELDS.filter(([, key]) => (key === "batch" ? keeps || m.experts.length : m.kv));
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
  if (keeps) {
    rows.push(["cache", m.kv, growthText(m.growth), "attention"]);
    if (m.state) rows.push(["states", m.state, say("always"), "ssm"]);
    rows.push(["together", together, say("least")]);
    if (m.reserved !== m.kv) rows.push(["full cache", m.reserved, say("reserved"), "attention"]);
  }
  return (
    <div>
      <div class="pw-controls">
        {fields.map(whole)}
        <Pick
          label="Weights"
          value={ui.weights}
          options={[["", "as in the files"], ...dtypes]}
          pick={(weights) => set({ weights })}
        />
        {keeps && <Pick label="Cache" value={ui.cache} options={dtypes} pick={(cache) => set({ cache })} />}
      </div>
      <p role="status" class={wrong ? "pw-bad" : "pw-soft"}>
        {wrong
          ? say("not_whole", wrong[0], integer(wrong[2]), integer(values[wrong[1]]))
          : m.kv > 0 &&
            context > wire.positions &&
            `${integer(context)} tokens: ${say("past_positions", integer(wire.positions))}.`}
      </p>
      <Grid
        caption={keeps ? `Memory for ${integer(ui.batch)} × ${integer(context)} tokens` : "Memory"}
        rows={rows.map(([label, n, note, role]) => [
          <>
            {label} <span class="pw-small">{note}</span>
          </>,
          n !== null && <Fall to={n / largest} role={role} />,
          <Bytes n={n} />,
        ])}
      />
      {keeps ? (
        <Grid
          caption={say("kinds")}
          head={["layers", "bytes a token", "cache", "states"]}
          rows={keeping.map((kind) => [
            `${integer(kind.layers)} × ${kindText(kind)}`,
            integer(kind.kind === "cross" ? 0 : kind.perToken),
            <Bytes n={kind.kv} />,
            <Bytes n={kind.state} />,
          ])}
        />
      ) : (
        <p>{say(m.known ? "keeps_nothing" : "undescribed")}</p>
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
      {read > 0 && (
        <p>
          {tell(looked ? "reads" : "reads_all", <Num n={read} />, <Num n={active} />, <Num n={looked} />)}{" "}
          {tell("figures", <Num n={2 * multiplied} />, <Num n={multiplied} />)}
        </p>
      )}
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

/** "sliding window of 128"; what is kept of an encoder does not grow with the context */
function kindText({ kind, window, perToken }: KindMemory): string {
  if (kind === "cross") return say("cross_to", say(kind), integer(window), integer(perToken));
  return say(kind) + (window ? ` of ${integer(window)}` : "");
}

/** "73,728 bytes a token, 36,864 past 128" */
const growthText = (growth: [tokens: number, bytes: number][]): string =>
  growth.map(([from, n]) => integer(n) + (from ? ` past ${integer(from)}` : " bytes a token")).join(", ");
