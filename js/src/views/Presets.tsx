/** Named ways of counting, each with who counts so. */
import { describe, presetOf } from "../claims";
import { type Child, h } from "../dom";
import { integer } from "../format";
import { apply, type ViewProps } from "../scene";
import { total } from "../sum";
import { Cited } from "./bits";

export function Presets({ scene }: ViewProps): Child {
  const { wire, now, id } = scene;
  if (!wire.presets[0]) return null;
  const current = presetOf(wire, now);
  const said = current?.citation || `${now.basis}, ${describe(wire, now)}`;
  return (
    <section class="pw-presets" aria-labelledby={`${id}-presets`}>
      <h4 id={`${id}-presets`}>Who counts how</h4>
      <ul>
        {wire.presets.map((preset) => (
          <li key={preset.key}>
            <button
              class="pw-preset"
              aria-pressed={preset === current}
              aria-describedby={preset === current ? `${id}-cite` : undefined}
              title={`${preset.basis}, ${describe(wire, preset)}. ${preset.citation}`}
              onclick={() => apply(scene, preset)}
            >
              <span>
                {preset.label}
                {preset.basis !== "active" && !preset.label.includes(preset.basis) && (
                  <span class="pw-soft pw-small"> {preset.basis}</span>
                )}
              </span>
              <span class="pw-number">{integer(total(wire, preset))}</span>
            </button>
          </li>
        ))}
      </ul>
      {/* Below the list, so that no row moves from under the pointer; marked and named as the row that it is of. */}
      <p class="pw-cite pw-small" id={`${id}-cite`}>
        {current ? (
          <Cited
            url={current.url}
            text={[
              <b>{current.label}</b>,
              said.startsWith(current.label) ? said.slice(current.label.length) : `: ${said}`,
            ]}
          />
        ) : (
          said
        )}
      </p>
    </section>
  );
}
