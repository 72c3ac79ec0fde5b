/** Sizes on a log scale: 2,304 and 114,701,598,720 fit in one column. A dot, as a log bar has no honest zero. */
import { type Child, h } from "../dom";
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

/** The axis's lines, as the background of every row's dots: an element each would be most of a table's elements. */
export const gridOf = (axis: Axis): string =>
  axis.ticks
    .map(({ n }) => {
      const at = `${axis.at(n)}%`;
      return `linear-gradient(to right,#0000 ${at},var(--pw-line) 0 calc(${at} + 1px),#0000 0)`;
    })
    .join();

export const AxisHead = ({ axis }: { axis: Axis }): Child => (
  <div class="pw-axis">
    {axis.ticks.map((tick) => (
      <span style={`left:${axis.at(tick.n)}%`}>{tick.label}</span>
    ))}
  </div>
);

export interface DotsProps {
  axis: Axis;
  role: string;
  stored: number;
  active: number;
  out: boolean;
}

export function Dots({ axis, role, stored, active, out }: DotsProps): Child {
  const dot = (n: number, name: string, more = "") => <i class={name} style={`left:${axis.at(n)}%${more}`} />;
  return (
    <div class="pw-dots" aria-hidden="true">
      {stored > active &&
        active > 0 &&
        dot(active, "pw-span", `;width:${axis.at(stored) - axis.at(active)}%`)}
      {stored > 0 && stored !== active && dot(stored, "pw-dot pw-dot-stored")}
      {active > 0 && dot(active, `pw-dot ${roleClass(role)}${out ? " pw-dot-out" : ""}`)}
    </div>
  );
}
