import grammar from "../../tests/golden/grammar.json";
import { learnGrammar, readClaim } from "../src/claims/read";

learnGrammar(grammar);

/** A claim as Python sends it. */
export function claim(given: Record<string, unknown>): Record<string, unknown> {
  const [read] = readClaim(String(given.text));
  if (!read || typeof read === "string") return given;
  const num = ({ digits, places, unit }: typeof read.low) => [digits, places, unit];
  return { ...read, bits: read.bits ?? undefined, low: num(read.low), high: num(read.high), ...given };
}
