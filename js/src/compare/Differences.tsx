/** What the configs differ in: the fields that decide what is counted with their values, the others by name. */
import { type Child, h } from "../dom";
import { SIDE_BY_SIDE, type View } from "./view";

export function Differences({ view: { wire, rows } }: { view: View }): Child {
  if (wire.models.length < 2) return null;
  const decide = wire.differences.filter((d) => d.decides);
  const others = wire.differences.filter((d) => !d.decides).map((d) => d.field);
  const few = wire.models.length <= SIDE_BY_SIDE;
  if (decide.length === 0)
    return <p class="pw-soft">The configs differ in nothing that decides what is counted.</p>;
  const fields = `${decide.length} ${decide.length === 1 ? "field" : "fields"}`;
  return (
    <details class="pw-differences" open={few && decide.length <= 8}>
      <summary>
        {few
          ? `The configs differ in ${fields}`
          : `The configs differ in ${fields} that decide what is counted`}
      </summary>
      {few ? (
        <section class="pw-scroll" tabindex="0" aria-label="fields of the configs">
          <table class="pw-parts">
            <caption class="pw-hidden">Fields of the configs that decide what is counted</caption>
            <thead>
              <tr>
                <th scope="col">config field</th>
                {rows.map((row) => (
                  <th key={row.place} scope="col" class="pw-number-head">
                    {row.model.short}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {decide.map((d) => (
                <tr key={d.field}>
                  <th scope="row">
                    <code>{d.field}</code>
                  </th>
                  {rows.map((row) => (
                    <td key={row.place} class="pw-figure">
                      {d.values[row.place] ?? ""}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <p class="pw-soft">{decide.map((d) => d.field).join(", ")}</p>
      )}
      {others.length > 0 && (
        <p class="pw-soft pw-small">
          Also different, but deciding nothing that is counted: {others.join(", ")}
        </p>
      )}
    </details>
  );
}
