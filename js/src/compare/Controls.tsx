/** How the models are counted: the basis, and a box for each part that any of them can leave out. */
import { type Child, h } from "../dom";
import { say } from "../say";
import { canonical, flip, out } from "../sum";
import type { Choice } from "../traits";
import { BASES, type Basis, type Convention } from "../wire";
import type { View } from "./view";

interface Props {
  view: View;
  choose(next: Partial<Choice>): void;
  /** the convention at the time of a click: two may come before one redraw */
  latest(): Convention;
}

export function Controls({ view: { id, wire, now }, choose, latest }: Props): Child {
  const any = wire.models[0]?.wire;
  if (!any) return null;
  const gone = out(any, now);
  const set = (basis: Basis) => choose({ basis });
  return (
    <div class="pw-controls">
      <fieldset class="pw-bases">
        <legend class="pw-hidden">Which parameters to count</legend>
        {BASES.map((basis) => (
          <label key={basis} class="pw-option" title={`${basis}: ${say(basis)}`}>
            <input
              type="radio"
              name={`${id}-basis`}
              value={basis}
              checked={now.basis === basis}
              onchange={() => set(basis)}
            />
            {basis}
          </label>
        ))}
      </fieldset>
      <fieldset class="pw-toggles">
        <legend class="pw-hidden">Parts that count</legend>
        {wire.toggles.map((toggle) => (
          <label
            key={toggle.key}
            class={`pw-option${gone.has(toggle.key) ? " pw-gone" : ""}`}
            title={toggle.help}
          >
            <input
              type="checkbox"
              id={`${id}-toggle-${toggle.key}`}
              checked={!gone.has(toggle.key)}
              onchange={() => {
                const next = flip(any, latest(), toggle.key);
                choose({ off: canonical(next.off), on: canonical(next.on) });
              }}
            />
            {toggle.label}
          </label>
        ))}
        {(now.off.length > 0 || now.on.length > 0) && (
          <button
            class="pw-link pw-small"
            title="Count what the basis counts by default"
            onclick={(event) => {
              // The button goes with what it resets: the focus stays among the boxes.
              event.currentTarget.parentElement?.querySelector("input")?.focus();
              choose({ off: [], on: [] });
            }}
          >
            reset
          </button>
        )}
      </fieldset>
    </div>
  );
}
