/** Named ways of counting, each with who counts so. */
import { departuresText, describe, presetOf } from "../claims";
import { type Child, h } from "../dom";
import { integer } from "../format";
import { say } from "../say";
import { apply, type ViewProps } from "../scene";
import { total } from "../sum";
import { Link } from "./bits";

export function Presets({ scene }: ViewProps): Child {
  const { wire, now, id } = scene;
  if (wire.presets.length === 0) return null;
  const current = presetOf(wire, now);
  return (
    <section class="pw-presets" aria-labelledby={`${id}-presets`}>
      <h4 id={`${id}-presets`}>Who counts how</h4>
      <ul>
        {wire.presets.map((preset) => (
          <li key={preset.key}>
            <button
              class="pw-preset"
              aria-pressed={preset === current}
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
      <p class="pw-cite pw-small">
        {current
          ? current.citation || `${current.basis}, ${describe(wire, current)}`
          : departuresText(wire, now)
            ? say("your_own", now.basis, describe(wire, now))
            : `The ${now.basis} count, ${describe(wire, now)}.`}
        {current?.url && [" ", <Link href={current.url}>source</Link>]}
      </p>
    </section>
  );
}
