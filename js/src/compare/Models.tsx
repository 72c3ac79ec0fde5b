/** One row a model: its size on each basis, and a bar of what it is made of. */
import { type Child, Fragment, h } from "../dom";
import { integer, percent, short, times } from "../format";
import { AxisHead, axisOf, Dots } from "../views/Dots";
import { roleClass } from "../views/role";
import type { Row } from "./rows";
import { SortHead } from "./SortHead";
import type { View } from "./view";

// Whole models have no role: their dots are grey.
const NEUTRAL = "other";

export function Models({ view }: { view: View }): Child {
  const { wire, now, rows } = view;
  const whole = now.basis === "architectural" ? "architectural" : "stored";
  const axis = axisOf(rows.flatMap((row) => [row[whole], row.active]));
  const head = (key: string, label: string, more = "") => (
    <SortHead view={view} name={key} label={label} class={`pw-number-head ${more}`} />
  );
  const chosen = (basis: string) => (now.basis === basis ? " pw-chosen" : "");
  return (
    <div>
      <table class="pw-models">
        <caption class="pw-hidden">
          {wire.models.length} models, counted on the {now.basis} basis, with what each is made of
        </caption>
        <thead>
          <tr>
            <SortHead view={view} name="model" label="model" />
            <th scope="col" class="pw-col-dots" aria-label="size, log scale">
              <AxisHead axis={axis} />
            </th>
            {head(whole, whole, chosen(whole))}
            {head("active", "active", chosen("active"))}
            {head("ratio", `${whole} / active`, "pw-col-ratio")}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.place}>
              <th scope="row">
                <span class="pw-model-name" title={`${row.model.label}: ${row.model.source}`}>
                  {row.model.short}
                </span>{" "}
                <span class="pw-facts">{row.model.facts.join(" · ")}</span>
                <Bar view={view} row={row} />
              </th>
              <td class="pw-col-dots">
                <Dots axis={axis} role={NEUTRAL} stored={row[whole]} active={row.active} out={false} />
              </td>
              <td class={`pw-figure${chosen(whole)}`} title={integer(row[whole])}>
                <Figure n={row[whole]} />
              </td>
              <td class={`pw-figure${chosen("active")}`} title={integer(row.active)}>
                <Figure n={row.active} />
              </td>
              <td class="pw-figure pw-col-ratio">{row.active ? times(row[whole], row.active) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="pw-key pw-small" aria-hidden="true">
        <span>size, log scale:</span>
        <span>
          <i class="pw-dot" />
          active
        </span>
        <span>
          <i class="pw-dot pw-dot-stored" />
          {whole}
        </span>
      </p>
    </div>
  );
}

/** All digits where there is room, else a short form of them; a reader of the screen always hears all. */
function Figure({ n }: { n: number }): Child {
  return (
    <>
      <span class="pw-long">{integer(n)}</span>
      <span class="pw-brief" aria-hidden="true">
        {short(n)}
      </span>
    </>
  );
}

/** The parts of one model as shares of its own total. */
function Bar({ view: { wire }, row }: { view: View; row: Row }): Child {
  const parts = wire.roles.filter(({ key }) => (row.parts.get(key) ?? 0) > 0);
  const share = (key: string) => percent(row.parts.get(key) ?? 0, row.total);
  return (
    <span
      class="pw-stack"
      role="img"
      aria-label={parts.map(({ key, label }) => `${label} ${share(key)}`).join(", ") || "nothing is counted"}
    >
      {parts.map(({ key, label }) => (
        <i
          key={key}
          class={roleClass(key)}
          style={`flex-grow:${(row.parts.get(key) ?? 0) / row.total}`}
          title={`${label} ${integer(row.parts.get(key) ?? 0)}, ${share(key)}`}
        />
      ))}
    </span>
  );
}
