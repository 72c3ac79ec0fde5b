/** From one number to another, step by step in exact integers, and the boxes that make the steps. */
import { describe, fullConvention, nearestReading, presetOf, sourceWord } from "../claims";
import { type Child, h } from "../dom";
import { integer, short, signed } from "../format";
import { tell } from "../say";
import type { Scene, ViewProps } from "../scene";
import { bridge, sameConvention, total } from "../sum";
import type { Convention } from "../wire";
import { Pick, Sum } from "./bits";
import { Ledger } from "./Ledger";
import { Presets } from "./Presets";

export const Bridge = ({ scene }: ViewProps): Child => (
  <div class="pw-main">
    <Ledger scene={scene} />
    <div class="pw-rail">
      <Steps scene={scene} />
      <Presets scene={scene} />
    </div>
  </div>
);

interface End {
  label: string;
  convention: Convention;
}

/** Where the bridge starts: what was picked, else the chosen claim as it is most simply counted, else the default. */
function startOf({ wire, now, claim, ui }: Scene): End {
  const preset = wire.presets.find(({ key }) => key === ui.from);
  if (preset) return { label: preset.label, convention: preset };
  const reading = claim && nearestReading(wire, claim, now);
  if (reading)
    return { label: `${sourceWord(claim)}, ${describe(wire, reading, true)}`, convention: reading };
  const convention: Convention = { basis: now.basis, off: [], on: [] };
  return { label: `${now.basis}, ${describe(wire, convention, true)}`, convention };
}

/** Where it ends: the reader's count, or, where that is the start, the full one. */
function endOf({ wire, now }: Scene, start: Convention): End {
  // A dense model's counts are equal on more than one basis: the same number needs no bridge.
  if (sameConvention(wire, start, now) || bridge(wire, start, now).length === 0)
    return fullConvention(wire, start.basis);
  const preset = presetOf(wire, now);
  return { label: preset?.label ?? `${now.basis}, ${describe(wire, now, true)}`, convention: now };
}

export function bridgeFigure(scene: Scene): string {
  const start = startOf(scene).convention;
  const end = endOf(scene, start).convention;
  const [from, to] = [total(scene.wire, start), total(scene.wire, end)];
  if (from === to) return short(to);
  // Two numbers that are short alike would say that nothing is between them.
  return short(from) === short(to) ? signed(to - from) : `${short(from)} → ${short(to)}`;
}

function Steps({ scene }: ViewProps): Child {
  const { wire, now, id, ui, set, claim } = scene;
  const start = startOf(scene);
  const end = endOf(scene, start.convention);
  const steps = bridge(wire, start.convention, end.convention);
  const there = end.convention !== now;
  return (
    <div>
      <Pick
        label="From"
        value={ui.from}
        options={[
          ["", claim ? claim.text : "the default"],
          ...wire.presets.map(({ key, label, basis }) => [key, `${label}, ${basis}`] as const),
        ]}
        pick={(from) => set({ from })}
      />
      {there && (
        <p class="pw-same">
          {tell("your_count", <span class="pw-number">{integer(total(wire, now))}</span>)}
        </p>
      )}
      {steps.length > 0 && (
        <Sum
          id={`${id}-bridge`}
          title={there ? `From there to ${end.label}` : "To your count"}
          rows={[
            { label: start.label, n: total(wire, start.convention) },
            ...steps.map(({ key, label, delta }) => ({
              label: key.startsWith("basis:")
                ? `${label}, ${end.convention.basis} instead of ${start.convention.basis}`
                : label,
              n: delta,
            })),
          ]}
          result={{ label: end.label, n: total(wire, end.convention) }}
        />
      )}
    </div>
  );
}
