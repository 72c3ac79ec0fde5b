/** What is promised of the built files: they ask no other host for anything, and style nothing but the view. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const read = (name: string) =>
  readFileSync(resolve(import.meta.dirname, "../../paramwidget/static", name), "utf8");

describe.each([
  ["widget", 72_800, 28_100],
  ["compare", 20_000, 8_000],
])("%s", (bundle, minified, gzip) => {
  it("the module makes no request and evaluates no text", () => {
    const js = read(`${bundle}.js`);
    expect(js).not.toMatch(
      /\bfetch\(|XMLHttpRequest|WebSocket|\beval\(|new Function|\bimport\(|document\.write/,
    );
    // Namespaces of SVG and MathML are names, not addresses to load.
    const addresses = js.match(/https?:\/\/[\w.]+/g) ?? [];
    expect(addresses.filter((address) => address !== "http://www.w3.org")).toEqual([]);
  });

  it("the module does not grow", () => {
    const js = read(`${bundle}.js`);
    expect(js.length).toBeLessThan(minified);
    expect(gzipSync(js, { level: 9 }).length).toBeLessThan(gzip);
  });

  it("every selector is under the prefix, and nothing is loaded by the style sheet", () => {
    const css = read(`${bundle}.css`);
    expect(css).not.toMatch(/url\(|@import/);
    const rules = [...css.matchAll(/([^{}]+)\{[^{}]*\}/g)].map((rule) => rule[1]?.trim() ?? "");
    expect(rules.length).toBeGreaterThan(50);
    const selectors = rules.flatMap((rule) => rule.split(/,(?![^(]*\))/));
    expect(selectors.filter((selector) => !selector.includes(".pw-"))).toEqual([]);
  });
});
