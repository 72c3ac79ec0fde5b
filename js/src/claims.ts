/** What a printed number can mean, as the views say it; claims/ reads claims and reconciles them. */
import { type Match, reconcile, type Verdict } from "./claims/verdict";
import { outAndIn } from "./claims/words";
import { series } from "./format";
import { meanwhile, more } from "./later";
import { say } from "./say";
import { canonical, labelOf, out, sameConvention } from "./sum";
import { BASES, type Basis, type Claim, type Convention, type Wire } from "./wire";

const known = new WeakMap<Claim, Verdict>();

/** The verdict of a claim of this model, remembered: a claim is read anew for each model. */
export function verdictOf(wire: Wire, claim: Claim): Verdict {
  const found = known.get(claim) ?? reconcile(wire, claim);
  known.set(claim, found);
  return found;
}

/** The conventions that fit a claim best; several where the number alone cannot tell. */
export const readings = (wire: Wire, claim: Claim): Match[] => {
  const { matches, rivals } = verdictOf(wire, claim);
  return matches.slice(0, rivals);
};

/** What a text about this model may be said to name, and need not be read. */
const names = (wire: Wire): string => [wire.model, ...wire.claims.map(({ source }) => source)].join(" ");

/** The claims of a text: a bundled one, or what somebody typed; a string says why it cannot be read, as yet. */
export function typed(wire: Wire, text: string, again?: () => void): Claim[] | string {
  const claim = wire.claims.find((c) => c.text === text);
  return claim ? [claim] : more ? more.readClaim(text, names(wire)) : meanwhile(again);
}

/** The two matrices that cards leave out without saying which. */
export const TABLES = ["embedding", "lm_head"];

const digits = (claim: Claim): number => claim.number.replace(/\D/g, "").length;

/** What the reader chose, else the finest claim of what is counted now, else the one the model is known by. */
export function chosenClaims(wire: Wire, text: string | null, basis: Basis): Claim[] {
  const chosen = text === null ? "" : typed(wire, text);
  if (typeof chosen !== "string") return chosen;
  const [finest] = wire.claims.filter((claim) => claim.basis === basis).sort((a, b) => digits(b) - digits(a));
  const claim = (basis !== "active" && finest) || wire.headline;
  return claim ? [claim] : [];
}

const present = (wire: Wire, keys: readonly string[]): string[] =>
  canonical(keys).filter((key) => wire.toggles.some((toggle) => toggle.key === key));

const labels = (wire: Wire, keys: readonly string[]): string[] =>
  keys.map((key) => labelOf(wire.toggles, key));

/** What a convention leaves out or adds, against the default of its basis. */
export function departures(wire: Wire, convention: Convention): { off: string[]; on: string[] } {
  const usual = new Set(wire.defaults[convention.basis]);
  const keys = out(wire, convention);
  return {
    off: present(wire, [...keys]).filter((key) => !usual.has(key)),
    on: present(wire, [...usual]).filter((key) => !keys.has(key)),
  };
}

/** "embedding and lm_head out, MTP in"; empty where nothing departs from the default of any of the bases. */
export function departuresText(
  wire: Wire,
  convention: Convention,
  bases: readonly Basis[] = [convention.basis],
): string {
  const found = bases.map((basis) => departures(wire, { ...convention, basis }));
  const of = (way: "off" | "on") =>
    labels(
      wire,
      present(
        wire,
        found.flatMap((d) => d[way]),
      ),
    );
  return outAndIn(of("off"), of("on"));
}

/** A convention in a few words that are never empty; `brief` where the default need not be spelled out. */
export function describe(wire: Wire, convention: Convention, brief = false): string {
  const text = departuresText(wire, convention);
  if (text) return text;
  const usual = labels(wire, present(wire, wire.defaults[convention.basis]));
  if (usual.length === 0) return "nothing left out";
  return brief ? "by default" : `by default (${series(usual)} out)`;
}

/** "one table out": what a reading leaves out, without naming a table that the number cannot tell. */
function phrase(wire: Wire, reading: Match): string {
  const { off, on } = departures(wire, reading);
  const tables = present(wire, TABLES);
  if (tables.length === TABLES.length && on.length === 0 && off.every((key) => TABLES.includes(key))) {
    if (off.length === 1) return "one table out";
    if (off.length === TABLES.length) return "both tables out";
  }
  return departuresText(wire, reading);
}

/** "model card" where that is what the source is, else the source's own words up to the first comma or colon. */
export const sourceWord = (claim: Claim): string =>
  /\bcard\b/i.test(claim.source) ? "model card" : claim.source.split(/[,:]/)[0]?.trim() || "claim";

/** "the model card's"; the name of a site has no article. */
export const sourceOwner = (claim: Claim): string => {
  const word = sourceWord(claim);
  return `${word.includes(".") ? "" : "the "}${word}${word.endsWith("s") ? "'" : "'s"}`;
};

/** "model card: 5.13B, one table out", or "the model card's 5.13B" where the departures are those of a reading. */
export function claimText(wire: Wire, claim: Claim, now?: Convention): string {
  const found = readings(wire, claim);
  if (now && found.some((reading) => sameConvention(wire, reading, { ...now, basis: reading.basis })))
    return `${sourceOwner(claim)} ${claim.number}`;
  const phrases = new Set(found.map((reading) => phrase(wire, reading)));
  const [first] = found;
  const said = !first
    ? verdictOf(wire, claim).kind === "none"
      ? say("no_way")
      : say("not_stated")
    : phrases.size === 1 || first.preset
      ? phrase(wire, first)
      : say("simple_ways", found.length);
  return `${sourceWord(claim)}: ${claim.number}${said && `, ${said}`}`;
}

/** What a reader changed, over all three counts: a part left out of one may be out of another by default. */
export const allDepartures = (wire: Wire, now: Convention): string => departuresText(wire, now, BASES);

const distance = (wire: Wire, a: Convention, b: Convention): number => {
  const outA = out(wire, a);
  const outB = out(wire, b);
  const apart = wire.toggles.filter(({ key }) => outA.has(key) !== outB.has(key)).length;
  // A change of basis is further away than any number of toggles.
  return apart + (a.basis === b.basis ? 0 : wire.toggles.length + 1);
};

/** The reading closest to what the reader counts now; between equals the documented one, which comes first. */
export function nearestReading(wire: Wire, claim: Claim, now: Convention): Match | null {
  let best: Match | null = null;
  for (const reading of readings(wire, claim))
    if (!best || distance(wire, reading, now) < distance(wire, best, now)) best = reading;
  return best;
}

/** Where a bridge leads when the reader already counts as the claim does: everything the basis counts. */
export function fullConvention(wire: Wire, basis: Basis): { label: string; convention: Convention } {
  const preset = wire.presets.find((p) => p.key === "full_forward_pass" && p.basis === basis);
  if (preset) return { label: preset.label, convention: preset };
  return { label: `${basis}, by default`, convention: { basis, off: [], on: [] } };
}

export const presetOf = (wire: Wire, convention: Convention) =>
  wire.presets.find((preset) => sameConvention(wire, preset, convention)) ?? null;
