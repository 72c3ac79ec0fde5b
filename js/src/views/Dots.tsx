/** Sizes on a log scale: 2,304 and 114,701,598,720 fit in one column. A dot, as a log bar has no honest zero. */
import { type Child, h } from "../dom";
import { integer } from "../format";
import { roleClass } from "./role";

export interface Axis {
  /** position of a number, in percent of the width */
  at(n: number): number;
  ticks: { n: number; label: string }[];
}

const UNITS = ["", "K", "M", "B", "T"];

/** An axis from the decade below the least number to the decade above the greatest. */
export function axisOf(sizes: readonly number[]): Axis {
  const logs = sizes.filter((n) => n > 0).map(Math.log10);
  const low = logs.length ? Math.floor(Math.min(...logs)) : 0;
  const high = Math.max(logs.length ? Math.max(...logs) : 0, low + 1) + 0.2;
  const ticks = UNITS.map((unit, i) => ({ n: 10 ** (3 * i), label: `1${unit}` }));
  return {
    at: (n) => (100 * (Math.log10(n) - low)) / (high - low),
    ticks: ticks.filter(({ n }) => Math.log10(n) >= low && Math.log10(n) <= high),
  };
}

export function AxisHead({ axis }: { axis: Axis }): Child {
  return (
    <div class="pw-axis">
      {axis.ticks.map((tick) => (
        <span key={tick.n} style={`left:${axis.at(tick.n)}%`}>
          {tick.label}
        </span>
      ))}
    </div>
  );
}

export interface DotsProps {
  axis: Axis;
  role: string;
  stored: number;
  active: number;
  out: boolean;
}

export function Dots({ axis, role, stored, active, out }: DotsProps): Child {
  const at = (n: number) => `left:${axis.at(n)}%`;
  return (
    <div class="pw-dots" aria-hidden="true">
      {axis.ticks.map((tick) => (
        <i key={tick.n} class="pw-tick" style={at(tick.n)} />
      ))}
      {stored > active && active > 0 && (
        <i class="pw-span" style={`${at(active)};width:${axis.at(stored) - axis.at(active)}%`} />
      )}
      {stored > 0 && stored !== active && (
        <i class="pw-dot pw-dot-stored" style={at(stored)} title={`stored ${integer(stored)}`} />
      )}
      {active > 0 && (
        <i
          class={`pw-dot ${roleClass(role)}${out ? " pw-dot-out" : ""}`}
          style={at(active)}
          title={`active ${integer(active)}`}
        />
      )}
    </div>
  );
}
