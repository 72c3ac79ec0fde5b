/** Roles are told apart by colour: each has one in both themes, apart from all others, with a text that can be read. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COLOURED } from "../src/views/role";

const css = readFileSync(resolve(import.meta.dirname, "../src/theme.css"), "utf8");
const rule =
  /(\[data-pw-theme="dark"\] )?\.pw-role-(\w+) \{\s*--pw-hue: (#[0-9a-f]{6});\s*--pw-ink: (#[0-9a-f]+);/g;

interface Colour {
  hue: string;
  ink: string;
}
const light = new Map<string, Colour>();
const dark = new Map<string, Colour>();
for (const [, inDark, role = "", hue = "", ink = ""] of css.matchAll(rule)) {
  dark.set(role, { hue, ink });
  if (!inDark) light.set(role, { hue, ink });
}

const linear = (hex: string): [number, number, number] => {
  const at = (i: number) => {
    const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return [at(1), at(3), at(5)];
};
const luminance = (hex: string) => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
};
/** Oklab, in which equal distances look about equal. */
const oklab = (hex: string): [number, number, number] => {
  const [r, g, b] = linear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};
const apart = (a: string, b: string) => {
  const [x, y] = [oklab(a), oklab(b)];
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
};

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s theme", (_, colours) => {
  const roles = [...colours];

  it("every role has a colour", () => {
    expect([...colours.keys()].sort()).toEqual([...COLOURED, "other"].sort());
  });

  it("a label on it can be read", () => {
    const weak = roles.filter(
      ([, { hue, ink }]) => contrast(hue, ink.length === 4 ? ink + ink.slice(1) : ink) < 4.5,
    );
    expect(weak).toEqual([]);
  });

  it("no two look alike", () => {
    const alike = roles.flatMap(([a, x], i) =>
      roles
        .slice(i + 1)
        .filter(([, y]) => apart(x.hue, y.hue) < 0.06)
        .map(([b]) => `${a} ${b}`),
    );
    expect(alike).toEqual([]);
  });
});
