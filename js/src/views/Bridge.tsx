/** From the printed number to the reader's, step by step in exact integers. */
import { describe, fullConvention, nearestReading, presetOf, sourceWord } from "../claims";
import { integer } from "../format";
import type { Scene, ViewProps } from "../scene";
import { bridge, sameConvention, total } from "../sum";
import type { Convention } from "../wire";
import { Equation } from "./Equation";

export function Bridge({ scene }: ViewProps) {
  const { wire, now, claim, id } = scene;
  const reading = claim && nearestReading(wire, claim, now);
  if (claim && !reading) return null;
  const start = reading ?? { basis: now.basis, off: [], on: [] };
  // A dense model's counts are equal on more than one basis: the same number needs no bridge.
  const there = sameConvention(wire, start, now) || bridge(wire, start, now).length === 0;
  const full = fullConvention(wire, start.basis);
  const end: Convention = there ? full.convention : now;
  const name =
    reading && claim
      ? `${sourceWord(claim)}, ${tail(scene, reading)}`
      : `${start.basis}, ${tail(scene, start)}`;
  const same = there && reading && claim && (
    <p class="pw-same">
      Your count gives the number of the {sourceWord(claim)}:{" "}
      <span class="pw-number">{integer(total(wire, now))}</span>.
    </p>
  );
  const steps = bridge(wire, start, end);
  if (steps.length === 0) return same ? <section class="pw-equation">{same}</section> : null;
  return (
    <div>
      {same}
      <Equation
        id={`${id}-bridge`}
        title={
          there
            ? `From there to ${full.label}`
            : `From ${reading ? `the ${claim && sourceWord(claim)}` : "the default"} to your count`
        }
        rows={[
          { label: name, n: total(wire, start) },
          ...steps.map((step) => ({
            label: stepLabel(step.key, step.label, start, end),
            n: step.delta,
          })),
        ]}
        result={{
          label: there ? full.label : (presetOf(wire, now)?.label ?? `${now.basis}, ${tail(scene, now)}`),
          n: total(wire, end),
        }}
      />
    </div>
  );
}

const tail = ({ wire }: Scene, convention: Convention): string => describe(wire, convention, true);

/** A change of basis says what of the role changes; a toggle's name is enough. */
const stepLabel = (key: string, label: string, from: Convention, to: Convention): string =>
  key.startsWith("basis:") ? `${label}, ${to.basis} instead of ${from.basis}` : label;
