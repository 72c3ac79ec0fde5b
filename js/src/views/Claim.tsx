/** What somebody printed, and the ways of counting that give it. The reader decides between them, never this view. */
import { describe, typed, verdictOf } from "../claims";
import type { Kind } from "../claims/verdict";
import { type Child, Fragment, h } from "../dom";
import { integer, short } from "../format";
import { say } from "../say";
import { apply, type ViewProps } from "../scene";
import { sameConvention, total } from "../sum";
import type { Claim as ClaimData } from "../wire";
import { Cited } from "./bits";

// More conventions than this are a list to scroll, not a choice.
const SHOWN = 6;

const GLYPHS: Record<Kind, string> = {
  match: "=",
  ambiguous: "≈",
  truncated: "~",
  contradiction: "≠",
  none: "≠",
};

export function Claim({ scene }: ViewProps): Child {
  const { wire, now, claims, ui, set, choose } = scene;
  const kindOf = (claim: ClaimData) => verdictOf(wire, claim).kind;
  return (
    <div class="pw-claim">
      <div class="pw-claims">
        {wire.claims[0] ? "Printed" : say("ask")}
        {wire.claims.map((c) => (
          <button
            class="pw-chip"
            aria-pressed={claims.includes(c)}
            title={`${c.source}: ${kindOf(c)}`}
            onclick={() => {
              set({ unread: "" });
              choose({ claim: c.text });
            }}
          >
            <b class={`pw-fit-${kindOf(c)}`} aria-hidden="true">
              {GLYPHS[kindOf(c)]}
            </b>{" "}
            {c.text}
            <span class="pw-hidden">, {kindOf(c)}</span>
          </button>
        ))}
        <form
          class="pw-ask"
          onsubmit={(event) => {
            event.preventDefault();
            const { value } = event.currentTarget.querySelector("input") as HTMLInputElement;
            // An empty box asks for the claim that is there when none was chosen.
            const claim = value.trim() ? value : null;
            const ask = () => {
              const read = claim && typed(wire, claim, ask);
              const unread = typeof read === "string" ? read : "";
              set({ unread });
              if (!unread) choose({ claim });
            };
            ask();
          }}
        >
          <input
            class="pw-input"
            aria-label={say("ask")}
            aria-invalid={ui.unread !== ""}
            placeholder={wire.headline?.text ?? `${short(scene.total)} ${now.basis}`}
            autocomplete="off"
            spellcheck="false"
          />
          <button type="submit" class="pw-chip">
            explain
          </button>
        </form>
      </div>
      <div role="status" class="pw-verdict">
        {ui.unread ? (
          <p class="pw-bad">{ui.unread}</p>
        ) : (
          claims.map((claim) => <Answer scene={scene} claim={claim} />)
        )}
      </div>
    </div>
  );
}

/** "≈ ambiguous: [embedding out] or [lm_head out]", the whole verdict in words, and the words that decide. */
function Answer({ scene, claim }: ViewProps & { claim: ClaimData }): Child {
  const { wire, now } = scene;
  const { kind, matches, rivals, nearest, decidedBy, text } = verdictOf(wire, claim);
  const { quote, source, url } = claim;
  const shown = rivals ? matches.slice(0, Math.min(rivals, SHOWN)) : nearest ? [nearest] : [];
  const cited =
    decidedBy && decidedBy.text !== quote
      ? decidedBy
      : { text: quote ? `${source}: “${quote}”` : source, url };
  return (
    <>
      <p>
        <b class={`pw-fit-${kind}`}>
          {GLYPHS[kind]} {claim.text}: {kind}
        </b>{" "}
        {shown.map((match) => [
          <button
            class="pw-reading"
            aria-pressed={sameConvention(wire, match, now)}
            title={`Count so: ${integer(total(wire, match))} ${match.basis}`}
            onclick={() => apply(scene, match)}
          >
            {describe(wire, match)}
          </button>,
          " ",
        ])}
      </p>
      <p>{text.replace(`${claim.text}: ${kind}. `, "")}</p>
      {cited.text && (
        <p class="pw-source">
          <Cited {...cited} />
        </p>
      )}
    </>
  );
}
