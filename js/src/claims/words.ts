/** A verdict as a sentence; twin of verdict.py. It never says that a number is right: it says what fits. */
import { integer, series } from "../format";
import { say } from "../say";
import type { Wire } from "../wire";
import type { Match, Verdict } from "./verdict";

const labelOf = (wire: Wire, key: string): string =>
  wire.toggles.find((t) => t.key === key)?.label ?? say(key);

/** "embedding and lm_head out, MTP in" */
export const outAndIn = (out: readonly string[], into: readonly string[]): string =>
  [out.length && `${series(out)} out`, into.length && `${series(into)} in`].filter(Boolean).join(", ");

/** "embedding out (gpt-oss model card)": what a convention leaves out and counts, and who counts so. */
export function matchWords(wire: Wire, m: Match, usual = "the default"): string {
  const label = wire.presets.find(({ key }) => key === m.preset)?.label;
  const of = (keys: readonly string[]) => keys.map((key) => labelOf(wire, key));
  const words = outAndIn(of(m.off), of(m.on)) || usual;
  return label ? `${words} (${label})` : words;
}

const upper = (text: string): string =>
  text.startsWith("lm_head") ? text : text.charAt(0).toUpperCase() + text.slice(1);

export function sentence(wire: Wire, v: Verdict): string {
  const { claim, nearest } = v;
  const amount = (m: Match): string =>
    claim.bits !== null
      ? `${integer(m.total)} bytes${m.basis === "architectural" ? " with all copies" : ""}`
      : `${m.low !== m.total && (claim.average || claim.low !== claim.high) ? `${integer(m.low)}–` : ""}${integer(m.total)} ${m.basis}`;
  const sized = claim.bits !== null && !claim.parts.length && wire.toggles.some(({ key }) => key === "mtp");
  const how = (m: Match) => matchWords(wire, m, sized ? "MTP in" : undefined);
  const gives = (m: Match) => `${how(m)} gives ${amount(m)}`;
  const [first] = v.matches;
  let text = "";
  if (first) {
    const rivals = v.matches.slice(0, v.rivals);
    const tail = first.cut
      ? say("cut_off", claim.number)
      : first.digits
        ? say("to_digits", claim.number, first.digits, first.digits > 1 ? "s" : "")
        : "";
    const one = rivals.every((m) => m.total === first.total && m.basis === first.basis);
    const cannot = rivals.length < 2 ? "" : say("indistinguishable") + (v.because && `, as ${v.because}`);
    text = one
      ? `${upper(rivals.map(how).join(" or "))} gives ${amount(first)}${tail}${cannot}.`
      : `${upper(rivals.map(gives).join(", "))}${tail}${cannot}.`;
  } else if (nearest) {
    const gap = v.gap ?? 0;
    const share = v.gapPercent === null ? "" : ` (${Math.abs(v.gapPercent).toFixed(2)}%)`;
    const way = gap ? `${integer(Math.abs(gap))}${share} ${gap > 0 ? "more" : "less"}` : "that very number";
    const start =
      v.kind === "none"
        ? say("closest", how(nearest))
        : nearest.departures
          ? `As it states, ${how(nearest)}`
          : "What it states";
    text = `${start} gives ${amount(nearest)}; ${claim.number} is ${way}.`;
    if (v.part) text += say("that_size", v.part.label, integer(v.part.size));
  }
  return [claim.remark, text, v.note].filter(Boolean).join(" ");
}
