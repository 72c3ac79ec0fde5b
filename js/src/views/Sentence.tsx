/** The answer in one sentence: "116.83B stored, 5.71B active (model card: 5.13B, one table out)". */
import { said } from "../citation";
import { claimText } from "../claims";
import { integer, short } from "../format";
import type { ViewProps } from "../scene";

export function Sentence({ scene: { wire, now } }: ViewProps) {
  const [stored, ...others] = said(wire, now);
  const claim = wire.headline;
  return (
    <p class="pw-sentence">
      {[stored, ...others].map((part, i) => {
        if (!part) return null;
        const { basis, n, departures } = part;
        const all = basis === "active" && n === stored?.n && !departures && !stored.departures;
        const Tag = basis === now.basis ? "strong" : "span";
        return (
          <>
            {i > 0 && ", "}
            <Tag key={basis} title={`${integer(n)} ${basis}`}>
              {all ? "all active" : `${short(n)} ${basis}`}
            </Tag>
            {departures && ` with ${departures}`}
          </>
        );
      })}
      {claim && <span class="pw-soft"> ({claimText(wire, claim)})</span>}
    </p>
  );
}
