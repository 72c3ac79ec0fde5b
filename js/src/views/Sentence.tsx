/** The answer in one sentence: "116.83B stored, 5.71B active (model card: 5.13B, one table out)". */
import { Fragment } from "preact";
import { saidBases } from "../citation";
import { allDepartures, claimText } from "../claims";
import { integer, short } from "../format";
import type { ViewProps } from "../scene";
import { total } from "../sum";

/** Every basis is counted as the reader counts now, as the tiles are; what departs from the defaults is said once. */
export function Sentence({ scene: { wire, now } }: ViewProps) {
  const claim = wire.headline;
  const departs = allDepartures(wire, now);
  const counts = saidBases(now, (basis) => total(wire, { ...now, basis }));
  const stored = counts[0]?.[1];
  return (
    <p class="pw-sentence">
      {counts.map(([basis, n], i) => {
        const Tag = basis === now.basis ? "strong" : "span";
        return (
          <Fragment key={basis}>
            {i > 0 && ", "}
            <Tag title={`${integer(n)} ${basis}`}>
              {basis === "active" && n === stored ? "all active" : `${short(n)} ${basis}`}
            </Tag>
          </Fragment>
        );
      })}
      {departs && ` with ${departs}`}
      {claim && <span class="pw-soft"> ({claimText(wire, claim, now)})</span>}
    </p>
  );
}
