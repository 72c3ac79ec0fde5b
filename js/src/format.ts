/** Numbers and lists as a reader sees them. */

/** 579,133,440; Intl would take longer to be there than the whole of a view takes to be built. */
export const integer = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** − 579,133,440 or + 579,133,440, with a real minus sign. */
export const signed = (n: number, show: (n: number) => string = integer): string =>
  `${n < 0 ? "−" : "+"} ${show(Math.abs(n))}`;

// From here on a number is said in billions, as 0.58B; the terms of a longer sum already from a tenth of one.
const BILLIONS_FROM = 2e8;
const BILLIONS_TERM_FROM = 1e8;

/** 116.83B, 0.58B, 13.3M, 2,304; `beside` is the largest number it stands next to, so that terms share a unit. */
export function short(n: number, beside = n): string {
  if (n >= 999_995e6) return `${decimal(n, 1e12, 2)}T`;
  if (n >= BILLIONS_FROM || (beside >= BILLIONS_FROM && n >= BILLIONS_TERM_FROM))
    return `${decimal(n, 1e9, 2)}B`;
  if (n >= 1e6) return `${decimal(n, 1e6, 1)}M`;
  return integer(n);
}

/** 60.8 GiB, 65.25 GB: bytes in both units; 139.0 MiB, 145.75 MB; 4.45 TiB, 4.89 TB; 131,072 bytes */
export function bytes(n: number): string {
  if (n < 1e6) return `${integer(n)} bytes`;
  const power = n < 1e9 ? 2 : n < 1e12 ? 3 : 4;
  const unit = "MGT"[power - 2];
  return `${decimal(n, 1024 ** power, power > 3 ? 2 : 1)} ${unit}iB, ${decimal(n, 1000 ** power, 2)} ${unit}B`;
}

/** An integer in units, rounded half up without leaving the integers: toFixed would print 1.005B as 1.00B. */
function decimal(n: number, unit: number, places: number): string {
  const size = 10 ** places;
  const whole = Math.floor(n / unit);
  const parts = Math.floor((2 * (n - whole * unit) * size + unit) / (2 * unit));
  const [units, rest] = parts === size ? [whole + 1, 0] : [whole, parts];
  return `${integer(units)}.${String(rest).padStart(places, "0")}`;
}

/** 62.8%, 0.00004%: a part that is there never reads as 0%, nor as all of it when it is not. */
export function percent(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "0%";
  const share = (100 * part) / whole;
  const rough = Number(share.toPrecision(1));
  if (rough >= 0.1) {
    const shown = share.toFixed(1);
    if (shown !== "100.0" || part > whole) return `${shown}%`;
    return part === whole ? "100%" : "> 99.9%";
  }
  // One significant digit, written out: 4e-5 is 0.00004.
  return `${rough.toFixed(-Math.floor(Math.log10(rough) + 1e-9))}%`;
}

/** 20.5 × */
export function times(a: number, b: number): string {
  return `${(a / b).toFixed(a / b < 10 ? 2 : 1)} ×`;
}

/** a, b and c */
export function series(items: readonly string[], last = "and"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}
