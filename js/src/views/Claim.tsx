/** What somebody printed, and the ways of counting that give it. The reader decides between them, never this view. */
import { describe, FIT_LEGEND, type Fit, fitOf, GLYPHS, readings, verdictOf } from "../claims";
import { integer } from "../format";
import type { ViewProps } from "../scene";
import { sameConvention, total } from "../sum";
import { type Claim as ClaimData, webAddress } from "../wire";

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
            aria-label={verdictOf(wire, c).text}
            title={`${c.source}: ${FIT_LEGEND[fitOf(wire, c)]}`}
            onClick={() => scene.choose(c)}
          >
            <b class={`pw-fit pw-fit-${fitOf(wire, c)}`} aria-hidden="true">
              {GLYPHS[fitOf(wire, c)]}
            </b>{" "}
            {c.text}
          </button>
        ))}
        <Legend fits={wire.claims.map((c) => fitOf(wire, c))} />
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
        <span key={fit}>
          <b class={`pw-fit-${fit}`}>{GLYPHS[fit]}</b> {FIT_LEGEND[fit]}
        </span>
      ))}
  </span>
);

function Readings({ scene, claim }: ViewProps & { claim: ClaimData }) {
  const { wire, now } = scene;
  const verdict = verdictOf(wire, claim);
  const { decidedBy } = verdict;
  return (
    <div class="pw-verdict">
      <p>{verdict.text}</p>
      <p class="pw-readings">
        {readings(wire, claim)
          .slice(0, SHOWN)
          .map((m) => (
            <button
              type="button"
              class="pw-reading"
              key={`${m.basis} ${m.off} ${m.on}`}
              aria-pressed={sameConvention(wire, m, now)}
              title={`Count so: ${integer(total(wire, m))} ${m.basis}, ${describe(wire, m)}`}
              onClick={() => scene.apply(m)}
            >
              {describe(wire, m)}
            </button>
          ))}
      </p>
      {decidedBy && decidedBy.text !== claim.quote ? (
        <Decided text={decidedBy.text} url={decidedBy.url} />
      ) : (
        <Source claim={claim} />
      )}
    </div>
  );
}

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

function Source({ claim }: { claim: ClaimData }) {
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
    </p>
  );
}
