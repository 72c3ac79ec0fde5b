/** Named ways of counting, each with who counts so. */
import { departuresText, describe, presetOf } from "../claims";
import { integer } from "../format";
import type { ViewProps } from "../scene";
import { total } from "../sum";
import { webAddress } from "../wire";

export function Presets({ scene }: ViewProps) {
  const { wire, now, id } = scene;
  if (wire.presets.length === 0) return null;
  const current = presetOf(wire, now);
  const link = current && webAddress(current.url);
  return (
    <section class="pw-presets" aria-labelledby={`${id}-presets`}>
      <h4 id={`${id}-presets`}>Who counts how</h4>
      <ul>
        {wire.presets.map((preset) => (
          <li key={preset.key}>
            <button
              type="button"
              class="pw-preset"
              aria-pressed={preset === current}
              title={`${preset.basis}, ${describe(wire, preset)}. ${preset.citation}`}
              onClick={() => scene.apply(preset)}
            >
              <span>
                {preset.label}
                {preset.basis !== "active" && <span class="pw-soft pw-small"> {preset.basis}</span>}
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
            ? `A count of your own: ${now.basis}, ${describe(wire, now)}.`
            : `The ${now.basis} count, ${describe(wire, now)}.`}
        {link && " "}
        {link && (
          <a class="pw-link" href={link} target="_blank" rel="noreferrer">
            source
          </a>
        )}
      </p>
    </section>
  );
}
