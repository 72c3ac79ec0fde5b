/** What somebody printed, and the ways of counting that give it. The reader decides between them, never this view. */
import { describe, typed, verdictOf } from "../claims";
import { type Child, Fragment, h } from "../dom";
import { integer } from "../format";
import { apply, type ViewProps } from "../scene";
import { sameConvention, total } from "../sum";
import type { Claim as ClaimData, Match, Verdict } from "../wire";
import { Link } from "./bits";

// More conventions than this are a list to scroll, not a choice.
const SHOWN = 6;

const GLYPHS: Record<Verdict["kind"], string> = {
  match: "=",
  ambiguous: "≈",
  truncated: "~",
  contradiction: "≠",
  none: "≠",
};

export function Claim({ scene }: ViewProps): Child {
  const { wire, claims, ui, set, choose } = scene;
  const kinds = new Set(wire.claims.map((c) => verdictOf(wire, c).kind));
  return (
    <div class="pw-claim">
      <div class="pw-claims">
        <span class="pw-label">{wire.claims.length > 0 ? "Printed" : "No printed number is bundled"}</span>
        {wire.claims.map((c) => {
          const { kind } = verdictOf(wire, c);
          return (
            <button
              type="button"
              class="pw-chip"
              aria-pressed={claims.includes(c)}
              title={c.source}
              onclick={() => choose({ claim: c.text })}
            >
              <b class={`pw-fit-${kind}`} title={kind}>
                {GLYPHS[kind]}
              </b>{" "}
              {c.text}
              <span class="pw-hidden">: {kind}</span>
            </button>
          );
        })}
        <form
          class="pw-ask"
          onsubmit={(event) => {
            event.preventDefault();
            const { value } = event.currentTarget.querySelector("input") as HTMLInputElement;
            const read = typed(wire, value);
            const unread = typeof read === "string" ? read : "";
            set({ unread });
            if (!unread) choose({ claim: value });
          }}
        >
          <input
            class="pw-input"
            aria-label="A number that somebody printed"
            aria-describedby={ui.unread ? `${scene.id}-unread` : undefined}
            aria-invalid={ui.unread !== ""}
            placeholder="5.1B active"
            autocomplete="off"
            spellcheck="false"
          />
          <button type="submit" class="pw-chip">
            explain
          </button>
        </form>
      </div>
      <p class="pw-legend pw-small pw-soft" aria-hidden="true">
        {[...kinds].map((kind) => (
          <span>
            <b class={`pw-fit-${kind}`}>{GLYPHS[kind]}</b> {kind}
          </span>
        ))}
      </p>
      <div role="status">
        {ui.unread && (
          <p class="pw-bad pw-verdict" id={`${scene.id}-unread`}>
            {ui.unread}
          </p>
        )}
        {!ui.unread && claims.map((claim) => <Answer scene={scene} claim={claim} />)}
      </div>
    </div>
  );
}

function Answer({ scene, claim }: ViewProps & { claim: ClaimData }): Child {
  const { wire, now } = scene;
  const verdict = verdictOf(wire, claim);
  const { kind, matches, rivals, nearest, gap, gapPercent, because, decidedBy } = verdict;
  const shown = matches.slice(0, Math.min(Math.max(rivals, 1), SHOWN));
  const button = (match: Match, i: number) => (
    <>
      {i > 0 && " or "}
      <button
        type="button"
        class="pw-reading"
        aria-pressed={sameConvention(wire, match, now)}
        title={`Count so: ${integer(total(wire, match))} ${match.basis}`}
        onclick={() => apply(scene, match)}
      >
        {describe(wire, match)}
      </button>
      {match.preset && ` (${wire.presets.find((p) => p.key === match.preset)?.label ?? match.preset})`}
    </>
  );
  return (
    <div class="pw-verdict">
      <p>
        <b class={`pw-fit-${kind}`}>
          {GLYPHS[kind]} {claim.text}: {kind}
        </b>
        {shown.length > 0 && ": "}
        {shown.map(button)}
        {kind === "ambiguous" && "; indistinguishable by number"}
      </p>
      <p class="pw-soft">
        {shown[0] && `${integer(shown[0].total)} ${shown[0].basis}`}
        {because && `; ${because}`}
        {!shown[0] && nearest && (
          <>
            nearest: {button(nearest, 0)} {integer(nearest.total)}, {gap !== null && integer(Math.abs(gap))}{" "}
            {gap !== null && (gap > 0 ? "less" : "more")} ({gapPercent}%)
          </>
        )}
      </p>
      {decidedBy && (
        <p class="pw-source">
          {decidedBy.text} <Link href={decidedBy.url}>source</Link>
        </p>
      )}
      {claim.source && (!decidedBy || decidedBy.text !== claim.quote) && (
        <p class="pw-source">
          {claim.quote && <q>{claim.quote}</q>} <Link href={claim.url}>{claim.source}</Link>
        </p>
      )}
    </div>
  );
}
