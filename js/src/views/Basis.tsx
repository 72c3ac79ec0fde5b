/** The three totals, which are the switch between them, and the ratios people quote. */
import { allDepartures } from "../claims";
import { type Child, h } from "../dom";
import { integer, percent, short, times } from "../format";
import { say } from "../say";
import { apply, type Scene, type ViewProps } from "../scene";
import { lowTotal, total } from "../sum";
import { BASES } from "../wire";

export function Basis({ scene }: ViewProps): Child {
  const { wire, now, id } = scene;
  const departs = allDepartures(wire, now);
  return (
    <div class="pw-basis-band">
      <fieldset class="pw-basis">
        <legend class="pw-hidden">Which parameters to count</legend>
        {BASES.map((basis) => {
          const n = total(wire, { ...now, basis });
          const low = basis === "active" ? lowTotal(wire, { ...now, basis }) : n;
          return (
            <label key={basis} class="pw-basis-choice" title={`${basis}: ${say(basis)}`}>
              <span class="pw-basis-name">
                <input
                  type="radio"
                  name={`${id}-basis`}
                  value={basis}
                  checked={now.basis === basis}
                  onchange={() => scene.choose({ basis })}
                />
                {basis}
              </span>
              <span class="pw-basis-short" aria-hidden="true">
                {short(n)}
              </span>
              <span class={`pw-basis-exact${short(n) === integer(n) ? " pw-hidden" : ""}`}>{integer(n)}</span>
              {low < n && <span class="pw-basis-exact">at least {integer(low)}</span>}
            </label>
          );
        })}
      </fieldset>
      <div class="pw-ratios pw-small">
        {ratios(scene).map(([name, value, why]) => (
          <span key={name} title={why}>
            {name} <b>{value}</b>
          </span>
        ))}
        {departs && (
          <span class="pw-departs">
            {departs}
            <button
              class="pw-link"
              title={say("basis_default")}
              onclick={(event) => {
                // The button goes with what it resets: the focus stays in the band.
                const band = event.currentTarget.closest(".pw-basis-band");
                band?.querySelector<HTMLInputElement>("input:checked")?.focus();
                apply(scene, { basis: now.basis, off: [], on: [] });
              }}
            >
              reset
            </button>
          </span>
        )}
      </div>
    </div>
  );
}

/** Only the ratios that say something: a dense model with equal counts has none. */
function ratios({ wire, now }: Scene): [name: string, value: string, why: string][] {
  const [stored = 0, architectural = 0, active = 0] = BASES.map((basis) => total(wire, { ...now, basis }));
  const rows: [string, string, string][] = [];
  if (active && stored !== active)
    rows.push(
      ["stored / active", times(stored, active), `${integer(stored)} / ${integer(active)}`],
      ["active share", percent(active, stored), `${integer(active)} of ${integer(stored)}`],
    );
  const gap = architectural - stored;
  if (stored && gap)
    rows.push([
      "architectural gap",
      `${gap > 0 ? "+" : "−"}${percent(Math.abs(gap), stored)}`,
      `${integer(architectural)} declared, ${integer(stored)} stored`,
    ]);
  return rows;
}
