/** The answer in one sentence: "116.83B stored, 5.71B active (model card: 5.13B, one table out)". */
import { saidBases } from "../citation";
import { allDepartures, claimText } from "../claims";
import { type Child, Fragment, h } from "../dom";
import type { ViewProps } from "../scene";
import { total } from "../sum";
import { Num } from "./bits";

/** Every basis is counted as the reader counts now, as the tiles are; what departs from the defaults is said once. */
export function Sentence({ scene: { wire, now } }: ViewProps): Child {
  const claim = wire.headline;
  const departs = allDepartures(wire, now);
  const counts = saidBases(now, (basis) => total(wire, { ...now, basis }));
  const stored = counts[0]?.[1];
  return (
    <p class="pw-sentence">
      {counts.map(([basis, n], i) => (
        <>
          {i > 0 && ", "}
          <span class={basis === now.basis ? "pw-strong" : ""}>
            {basis === "active" && n === stored ? "all active" : [<Num n={n} />, ` ${basis}`]}
          </span>
        </>
      ))}
      {departs && ` with ${departs}`}
      {claim && <span class="pw-soft"> ({claimText(wire, claim, now)})</span>}
    </p>
  );
}
