/** What somebody printed, and the ways of counting that give it. The reader decides between them, never this view. */
import { describe, FIT_LEGEND, FIT_TEXT, type Fit, fitOf, GLYPHS, twins } from "../claims";
import { integer, short } from "../format";
import type { ViewProps } from "../scene";
import { sameConvention, total } from "../sum";
import { type Claim as ClaimData, type Reading, webAddress } from "../wire";

// More readings than this are a list to scroll, not a choice.
const SHOWN = 6;

export function Claim({ scene }: ViewProps) {
  const { wire, claim } = scene;
  if (wire.claims.length === 0)
    return <p class="pw-claim pw-soft">No printed number is bundled for this model.</p>;
  return (
    <div class="pw-claim">
      <div class="pw-claims">
        <span class="pw-label">Printed</span>
        {wire.claims.map((c, i) => (
          <button
            type="button"
            key={`${i} ${c.text}`}
            class="pw-chip"
            aria-pressed={c === claim}
            aria-label={`${c.text}: ${FIT_TEXT[fitOf(c)]}`}
            title={`${c.source}: ${FIT_TEXT[fitOf(c)]}`}
            onClick={() => scene.choose(c)}
          >
            <b class={`pw-fit pw-fit-${fitOf(c)}`} aria-hidden="true">
              {GLYPHS[fitOf(c)]}
            </b>{" "}
            {c.text}
          </button>
        ))}
        <Legend fits={wire.claims.map(fitOf)} />
      </div>
      {claim && <Readings scene={scene} claim={claim} />}
    </div>
  );
}

/** What the glyphs before the printed numbers mean; only those that are there. */
const Legend = ({ fits }: { fits: Fit[] }) => (
  <span class="pw-fit-legend pw-small">
    {(["one", "several", "none"] as const)
      .filter((fit) => fits.includes(fit))
      .map((fit) => (
        <span key={fit} title={FIT_TEXT[fit]}>
          <b class={`pw-fit-${fit}`}>{GLYPHS[fit]}</b> {FIT_LEGEND[fit]}
        </span>
      ))}
  </span>
);

function Readings({ scene, claim }: ViewProps & { claim: ClaimData }) {
  const { wire, now } = scene;
  const groups = twins(wire, claim);
  const kind = fitOf(claim);
  let left = SHOWN;
  const button = (reading: Reading) => (
    <button
      type="button"
      class="pw-reading"
      key={`${reading.basis} ${reading.off} ${reading.on}`}
      aria-pressed={sameConvention(wire, reading, now)}
      title={`Count so: ${integer(total(wire, reading))} ${reading.basis}, ${describe(wire, reading)}`}
      onClick={() => scene.apply(reading)}
    >
      {describe(wire, reading)}
    </button>
  );
  return (
    <div class="pw-verdict">
      {kind === "none" && (
        <p>
          <b class="pw-fit-none">No simple way of counting</b> rounds to {claim.number} {claim.basis}.
        </p>
      )}
      {groups.map((group) => {
        const shown = group.readings.slice(0, Math.max(left, 0));
        left -= shown.length;
        if (shown.length === 0) return null;
        return (
          <p key={`${group.total} ${shown[0]?.basis}`}>
            <span class="pw-readings">{shown.map(button)}</span>{" "}
            {group.readings.length === 1 ? "gives" : group.readings.length === 2 ? "both give" : "all give"}{" "}
            <span class="pw-number">{integer(group.total)}</span> {shown[0]?.basis}
            {group.because && `: ${group.because}`}
            {shown[0]?.cut && `, which is ${claim.number} with its digits cut off, not rounded`}.
          </p>
        );
      })}
      {claim.readings.length > SHOWN && <p>and {claim.readings.length - SHOWN} more, equally simple.</p>}
      {kind === "several" && (
        <p>
          <b class="pw-fit-several">The number alone cannot tell which.</b>{" "}
          {claim.decidedBy
            ? claimDecides(claim)
              ? "Its source does:"
              : "This does:"
            : "Nor does its source:"}
        </p>
      )}
      {kind === "several" && claim.decidedBy && !claimDecides(claim) ? (
        <Decided text={claim.decidedBy.text} url={claim.decidedBy.url} />
      ) : (
        <Source claim={claim} near={kind === "none" ? short(scene.total) : ""} />
      )}
    </div>
  );
}

/** Whether the words that decide are the claim's own, and not those of another place. */
const claimDecides = (claim: ClaimData): boolean => claim.decidedBy?.text === claim.quote;

function Decided({ text, url }: { text: string; url: string }) {
  const link = webAddress(url);
  return (
    <p class="pw-source">
      {text}{" "}
      {link && (
        <a class="pw-link" href={link} target="_blank" rel="noreferrer">
          source
        </a>
      )}
    </p>
  );
}

function Source({ claim, near }: { claim: ClaimData; near: string }) {
  const link = webAddress(claim.url);
  return (
    <p class="pw-source">
      {claim.quote && <q class="pw-quote">{claim.quote}</q>}
      {claim.quote && claim.source && " — "}
      {link ? (
        <a class="pw-link" href={link} target="_blank" rel="noreferrer">
          {claim.source || link}
        </a>
      ) : (
        claim.source
      )}
      {near && `${claim.source && ". "}Counted now: ${near}.`}
    </p>
  );
}
