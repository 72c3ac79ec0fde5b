/** A printed number and what its words say: Python sends the bundled ones, read.ts reads those that are typed. */
import type { Basis } from "../wire";

/** digits / 10 ** places × unit */
export interface Num {
  text: string;
  digits: number;
  places: number;
  unit: number;
}

export interface Claim {
  /** the words of this one number: "5.1B active" */
  text: string;
  /** the printed digits: "5.1B", or "18.6B–31.3B" */
  number: string;
  /** what the words name; "stored" where they name nothing */
  basis: Basis;
  source: string;
  url: string;
  quote: string;
  /** departures that the source states elsewhere than in the text */
  off: readonly string[];
  on: readonly string[];
  low: Num;
  high: Num;
  /** the bases on which it may be meant */
  bases: readonly Basis[];
  /** what the words themselves leave out and count */
  without: readonly string[];
  including: readonly string[];
  /** toggles that may be out beside these */
  loose: readonly string[];
  /** roles of which alone it speaks */
  parts: readonly string[];
  /** the 8 of 8x7B */
  times: number;
  /** "layer" or "expert", where it is of one alone */
  each: string;
  /** of a claim of bytes: bits of a parameter, 0 as the files store it */
  bits: number | null;
  average: boolean;
  /** how it was read, where its reader may not expect it; a bundled claim has none */
  remark?: string;
}

/** The number as an integer. */
export const value = ({ digits, places, unit }: Num): number =>
  Number((BigInt(digits) * BigInt(unit)) / 10n ** BigInt(places));
