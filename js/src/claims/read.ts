/** What a text claims; twin of reading.py. The patterns and tables are those of grammar.py. */
import { BASES, canonical, say, series, value } from "../core";
import type { Basis } from "../wire";
import type { Claim, Num } from "./claim";

/** The tables and patterns of grammar.py. */
export interface Grammar {
  patterns: Record<string, string>;
  /** the patterns of words that are read */
  read: string[];
  parts: [keys: string, label: string][];
  /** spellings of marks, and the one that stands for them */
  marks: [written: string, one: string][];
  units: [size: number, letter: string][];
}

interface Found {
  m: RegExpExecArray;
  low: Num;
  high: Num;
  /** where the words that belong to it begin */
  from: number;
  end: number;
  sized: boolean;
  words: string;
  inside: boolean;
  bare: boolean;
  about: string;
}

const end = (m: RegExpExecArray): number => m.index + m[0].length;
const split = (keys: readonly string[]): string[] => keys.join(" ").split(" ").filter(Boolean);
const count = (text: string, mark: string): number => text.split(mark).length;

let grammar: Grammar = { patterns: {}, parts: [], marks: [], units: [], read: [] };

/** Takes the tables of grammar.py, the same for all views of a page. */
export function learnGrammar(given: unknown): void {
  const { parts = [], marks = [], units = [], read = [], ...patterns } = (given ?? {}) as Partial<Grammar>;
  grammar = { patterns, parts, marks, units, read } as Grammar;
}

/** Thrown inside where a text is no claim. */
class Unreadable extends Error {
  constructor(key: string, text: string, ...slots: string[]) {
    super(say(key, `'${text.slice(0, 80)}'`, grammar.patterns.examples ?? "5.1B active", ...slots));
  }
}

/**
 * Several numbers give several claims; a string says why the text cannot be read. Never throws. `names` are those of the
 * model and of who printed the number.
 */
export function readClaim(text: string, names = ""): Claim[] | string {
  try {
    if (text.length > 400) throw new Unreadable("no_number", text);
    return read(grammar, text, names.toLowerCase());
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return error.message;
  }
}

function read(
  { patterns, parts: PARTS, marks: MARKS, units: UNITS, read: READ }: Grammar,
  text: string,
  names: string,
): Claim[] {
  const re = (name: string, flags = "") => new RegExp(patterns[name] ?? "$^", flags);
  const has = (name: string, words: string) => re(name).test(words);
  const folded = text
    .replace(/(?<=10)(?=[\u2070-\u2079\u00b2\u00b3\u00b9])/g, "^")
    .normalize("NFKC")
    .toLowerCase();
  const plain = MARKS.reduce((all, [mark, one]) => all.replace(new RegExp(mark, "g"), one), folded).trim();

  const labels = (keys: readonly string[]) =>
    series(keys.map((key) => PARTS.find(([k]) => k === key)?.[1] ?? key));

  const unitOf = (m: RegExpExecArray): [unit: number, sized: boolean] => {
    const [size, binary, word, bytes, ...units] = m.slice(5);
    const name = size ?? word;
    if (name) return [(binary ? 1024 : 1000) ** ("kmgtp".indexOf(name.charAt(0)) + 1), true];
    return [UNITS[units.findIndex(Boolean)]?.[0] ?? 1, bytes !== undefined];
  };

  const hasUnit = (m: RegExpExecArray) => unitOf(m)[0] > 1 || unitOf(m)[1];

  const digitsOf = (m: RegExpExecArray): [digits: string, places: number] => {
    let digits = (m[3] ?? "").replace(/[ '_]/g, "");
    if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(digits)) digits = digits.replaceAll(",", "");
    else if (/^[1-9]\d{0,2}(\.\d{3}){2,}(,\d+)?$/.test(digits)) digits = digits.replaceAll(".", "");
    else if (!/^\d*[.,]?\d+$/.test(digits)) throw new Unreadable("no_sense", digits);
    const [whole = "", places = ""] = digits.split(/[.,]/);
    return [whole + places, places.length];
  };

  const numberOf = (m: RegExpExecArray, [unit, sized]: [number, boolean]): Num => {
    const [all, places] = digitsOf(m);
    const e = Number(m[4] ?? 0);
    let said = BigInt(all).toString();
    if (places) said = said.padStart(places + 1, "0").replace(new RegExp(`(?=.{${places}}$)`), ".");
    const binary = Number.isInteger(Math.log2(unit));
    const power = Math.round(Math.log(unit) / Math.log(binary ? 1024 : 1000));
    if (sized) said += power ? ` ${"KMGTP"[power - 1]}${binary ? "i" : ""}B` : " bytes";
    else if (unit > 1) said += UNITS.find(([size]) => size === unit)?.[1];
    else if (!places) said = BigInt(all).toLocaleString("en-US");
    const number = {
      text: said + (m[4] ? `e${e}` : ""),
      digits: Number(all),
      places: Math.max(places - e, 0),
      unit: unit * 10 ** Math.max(e - places, 0),
    };
    if (number.digits && number.unit < 10 ** number.places) throw new Unreadable("too_fine", number.text);
    if (!Number.isSafeInteger(number.digits) || !Number.isSafeInteger(value(number)))
      throw new Unreadable("beyond", number.text);
    return number;
  };

  /** The upper end, where two numbers are a range and not a name such as Llama-3.1-8B. */
  const range = (m: RegExpExecArray, after: RegExpExecArray): Num | null => {
    const between = plain.slice(end(m), after.index);
    const before = plain.slice(0, m.index);
    const [own, upper] = [unitOf(m), unitOf(after)];
    const bare = !hasUnit(m);
    if (!has("range", between) && !(between === " and " && /between[~ ]*$/.test(before))) return null;
    if (bare ? upper[0] === 1 || before.endsWith("-") : own[1] !== upper[1]) return null;
    const low = numberOf(m, bare ? upper : own);
    const high = numberOf(after, upper);
    return value(low) < value(high) ? high : null;
  };

  const words = (from: number, to?: number) => [...plain.slice(from, to).matchAll(re("word", "g"))];

  /** Without the sizes of parts inside a statement, "including 0.9B embedding". */
  let [start, inner] = [0, false];
  const outer = (m: RegExpExecArray): boolean => {
    const last = words(start, m.index).at(-1);
    const [after] = words(end(m));
    inner =
      last !== undefined &&
      after !== undefined &&
      last.at(-1) === undefined &&
      (inner || last[1] !== undefined || last[2] !== undefined) &&
      has("inner", plain.slice(start + end(last), m.index)) &&
      after.slice(5, -1).some(Boolean) &&
      has("filler", plain.slice(end(m), end(m) + after.index));
    start = end(m);
    return !inner;
  };

  const statement = (words: string): { off: string[]; on: string[]; parts: string[] } => {
    const [off, on]: [string[], string[]] = [[], []];
    let parts: string[] = [];
    let to: string[] | null = null;
    for (const m of words.matchAll(re("word", "g"))) {
      const [, out, into, wasOut, wasIn, ...named] = m;
      if (named.pop()) to = null;
      else if (out) to = off;
      else if (into) {
        const not = /(?<![a-z])(?:not|without) $/.test(words.slice(0, m.index));
        if (to !== off || !into.startsWith("incl") || !not) to = on;
      } else if (wasOut || wasIn) {
        (wasOut ? off : on).push(...split(parts));
        parts = [];
      } else (to ?? parts).push(PARTS[named.findIndex(Boolean)]?.[0] ?? "");
    }
    const left = canonical(split(off));
    return { off: left, on: canonical(split(on)).filter((key) => !left.includes(key)), parts };
  };

  if (/^- ?\.?\d/.test(plain)) throw new Unreadable("negative", text);
  const every = (name: string) => [...plain.matchAll(re(name, "g"))];
  const nounOf = (m: RegExpExecArray) => re("noun").exec(plain.slice(end(m)));
  const numbers = every("number");
  const all = numbers.filter((m) => !nounOf(m)).filter(outer);
  // Without the 120b of "gpt-oss-120b: 117B": a name is a claim only where nothing else is.
  const others = all.filter((m) => !has("name", plain.slice(0, m.index)));
  const matches = others.some(hasUnit) ? others : all;
  const anyUnit = matches.some(hasUnit);
  let found: Found[] = [];
  for (let i = 0; i < matches.length; i++) {
    const m = matches[i] as RegExpExecArray;
    const after = matches[i + 1];
    let unit = unitOf(m);
    const bare = !hasUnit(m);
    const high = after && !(m[2] || after[1] || after[2]) ? range(m, after) : null;
    if (high && after) {
      if (bare) unit = unitOf(after);
      i++;
    } else if (bare && !m[4]) {
      const [digits, places] = digitsOf(m);
      if (places || Number(digits) < (anyUnit ? 1e6 : 1e3)) continue;
    }
    const low = numberOf(m, unit);
    if (!(high ?? low).digits) throw new Unreadable("zero", low.text);
    found.push({
      m,
      low,
      high: high ?? low,
      from: 0,
      end: end(high && after ? after : m),
      sized: unit[1],
      words: "",
      inside: false,
      bare: false,
      about: "",
    });
  }

  // What is the matter with a text that has no number of parameters or bytes.
  if (!found.length) {
    const bare = numbers.find((m) => !(m[1] || m[2] || hasUnit(m) || nounOf(m)));
    const noun = numbers.map(nounOf).find((found) => found !== null);
    let key = has("huge", plain) ? "beyond" : "no_number";
    if (bare) key = Number(digitsOf(bare)[0]) ? "no_unit" : "zero";
    else if (noun) key = "of_others";
    throw new Unreadable(key, text, noun?.[1] ?? "percent");
  }

  // Each number gets the words that belong to it: what stands between two is shared at a comma or a conjunction.
  start = 0;
  for (const [i, f] of found.entries()) {
    const after = found[i + 1];
    const between = plain.slice(f.end, after?.m.index);
    const whole = /^ ?\([^()]*\)/.exec(between)?.[0].length;
    const cut = (re("strong").exec(between) ?? re("weak").exec(between))?.index;
    const at = after ? (whole ?? cut ?? between.length) : between.length;
    if (after) after.inside = count(between.slice(at), "(") > count(between.slice(at), ")");
    const before = plain.slice(start, f.m.index).replace(/^.*\d[^,;]*[,;]/, ""); // "8 activated, 30.5B"
    f.from = start;
    f.words = `${before} | ${between.slice(0, at)}`;
    start = f.end + at;
  }
  const largest = Math.max(...found.map((f) => value(f.low)));
  found = found.filter((f) => value(f.low) * 1000 >= largest || /\p{L}/u.test(f.m[1] ?? f.words));

  const claims = found.map((f): Claim => {
    let { off, on, parts } = statement(f.words);
    let active = has("active", f.words);
    const total = has("total", f.words);
    let loose: string[] =
      `${off}` === "embedding" &&
      !on.some((key) => NEAR.includes(key)) &&
      /embed\w*ings?(?![a-z])|non/.test(f.words) &&
      !f.words.includes("embedding out")
        ? NEAR
        : [];
    if (f.m[1] === "e" || has("effective", f.words)) {
      active = true;
      off = canonical([...off, "per_layer_embedding"]);
      loose = ["embedding", "lm_head"];
    } else if (f.m[1] === "a" || /^-\d+e(?![a-z0-9])/.test(plain.slice(f.end))) active = true;
    else if (total) active = false;
    else if (f.high !== f.low) active = true; // a total is one number
    if (f.sized) active = false; // bytes are of what is stored
    if (/\d/.test(f.words)) parts = []; // "36 layers, 128 experts" speaks of the model
    f.about = labels(parts);
    const speaks = active || total || off.length + on.length > 0;
    f.bare = !(speaks || parts.length || f.sized);
    if (speaks) parts = [];
    const each = speaks || f.sized ? "" : (re("each").exec(f.words)?.[1] ?? "").replace("block", "layer");
    const bits = re("bits").exec(f.words) ?? re("bits").exec(plain);
    return {
      text: "",
      number: f.high === f.low ? f.low.text : `${f.low.text}–${f.high.text}`,
      basis: active ? "active" : "stored",
      source: "",
      url: "",
      quote: "",
      off: [],
      on: [],
      low: f.low,
      high: f.high,
      bases: active
        ? ["active"]
        : BASES.slice(
            0,
            ((off.includes("embedding") && loose.length) || /embedding|lm_head/.test(`${on}`)) &&
              !total &&
              !f.sized
              ? 3
              : 2,
          ),
      without: off,
      including: on,
      loose,
      parts: [...new Set(split(parts))],
      times: Number(f.m[2] ?? 0),
      each,
      bits: f.sized ? Number(bits?.[1] ?? bits?.[2] ?? (bits ? 16 : 0)) : null,
      average: has("average", f.words),
      remark: "",
    };
  });

  // The smaller of 671B/37B is the active one, where no words say so.
  const be = (c: Claim, basis: Basis, bases: readonly Basis[], remark = "") =>
    Object.assign(c, { basis, bases, remark });
  for (let i = 1; i < claims.length; i++) {
    const [before, here] = claims.slice(i - 1) as [Claim, Claim];
    const [f, g] = found.slice(i - 1) as [Found, Found];
    if ([before, here].some((c) => c.parts.length || c.bits !== null)) continue;
    const more = value(before.high) - value(here.high);
    if (g.inside && !has("named", g.words) && !before.loose.includes("embedding"))
      be(here, before.basis, before.bases);
    else if (g.bare && before.basis === "stored" && more > 0) be(here, "active", ["active"], say("smaller"));
    else if (f.bare && more < 0 && /^(?: (?:out )?of .*| ?\/ +)$/.test(`${plain.slice(f.end, g.m.index)} `)) {
      be(before, "active", ["active"], say("smaller"));
      if (!here.without.length && !here.including.length) be(here, "stored", BASES.slice(0, 2));
    }
  }

  // What nothing reads, and may say something of a number.
  const known = READ.flatMap(every);
  const unread = every("token").filter(
    (m) =>
      !has("harmless", m[0]) &&
      !names.includes(m[0]) &&
      !known.some((k) => k.index < end(m) && m.index < end(k)),
  );

  for (const [i, c] of claims.entries()) {
    const { from } = found[i] as Found;
    const to = found[i + 1]?.from ?? plain.length;
    const own = new Set(unread.filter((m) => (!i || m.index >= from) && m.index < to).map(([word]) => word));
    if (own.size) c.remark = `${say("not_read", [...own].join(", "))} ${c.remark}`.trim();
    const { m, about } = found[i] as Found;
    const prefix = m[1] ?? "";
    const effective = c.loose.includes("embedding");
    let said = c.times ? `${c.times}x${c.number}` : prefix.toUpperCase() + c.number;
    if (effective) said += prefix === "e" ? "" : " effective";
    else if (c.basis === "active" && !prefix) said += " active";
    if (c.parts.length && c.each !== "expert") said += ` ${about}`;
    if (c.each) said += ` per ${c.each}`;
    if (c.bits) said += ` at ${c.bits} bits`;
    if (!effective && c.loose.length) said += " non-embedding";
    else if (!effective && c.without.length) said += `, without ${labels(c.without)}`;
    c.text = c.including.length ? `${said}, including ${labels(c.including)}` : said;
  }
  return claims;
}

/** What "non-embedding" may leave out besides the table that it names. */
const NEAR = ["lm_head", "position", "per_layer_embedding"];
