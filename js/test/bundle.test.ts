/** What is promised of the built files: they ask no other host for anything, and style nothing but the view. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { INTERNAL } from "../internal.mjs";

const read = (name: string) =>
  readFileSync(resolve(import.meta.dirname, "../../paramwidget/static", name), "utf8");

describe.each([
  ["widget", 60_000, 22_000],
  ["more", 24_000, 10_500],
  ["compare", 20_000, 8_000],
])("%s", (bundle, minified, gzip) => {
  it("the module makes no request and evaluates no text", () => {
    const js = read(`${bundle}.js`);
    const asks = /\bfetch\(|XMLHttpRequest|WebSocket|\beval\(|new Function|\bimport\(|document\.write/g;
    // The second module is imported from the text that the notebook holds.
    expect(js.match(asks) ?? []).toEqual(bundle === "widget" ? ["import("] : []);
    // Namespaces of SVG and MathML are names, not addresses to load.
    const addresses = js.match(/https?:\/\/[\w.]+/g) ?? [];
    expect(addresses.filter((address) => address !== "http://www.w3.org")).toEqual([]);
  });

  it("the module does not grow", () => {
    const js = read(`${bundle}.js`);
    expect(js.length).toBeLessThan(minified);
    expect(gzipSync(js, { level: 9 }).length).toBeLessThan(gzip);
  });
});

describe.each(["widget", "compare"])("%s", (bundle) => {
  it("every selector is under the prefix, and nothing is loaded by the style sheet", () => {
    const css = read(`${bundle}.css`);
    expect(css).not.toMatch(/url\(|@import/);
    const rules = [...css.matchAll(/([^{}]+)\{[^{}]*\}/g)].map((rule) => rule[1]?.trim() ?? "");
    expect(rules.length).toBeGreaterThan(50);
    const selectors = rules.flatMap((rule) => rule.split(/,(?![^(]*\))/));
    expect(selectors.filter((selector) => !selector.includes(".pw-"))).toEqual([]);
  });
});

it("the build shortens no name of the data and none of the browser", () => {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (value && typeof value === "object")
      for (const [key, each] of Object.entries(value)) {
        names.add(key.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()));
        collect(each);
      }
  };
  const folder = resolve(import.meta.dirname, "../../tests/golden");
  for (const file of readdirSync(folder)) {
    const golden = JSON.parse(readFileSync(resolve(folder, file), "utf8"));
    for (const each of [golden].flat()) collect(each.wire ?? each);
  }
  for (const tag of ["input", "button", "select", "form", "a", "table", "td"])
    for (let el: unknown = document.createElement(tag); el; el = Object.getPrototypeOf(el))
      for (const name of Object.getOwnPropertyNames(el)) names.add(name);
  for (const kind of [Array, Map, Set, String, RegExp, Event, KeyboardEvent, Window, Document])
    for (const name of Object.getOwnPropertyNames(kind.prototype)) names.add(name);
  expect(names.size).toBeGreaterThan(500);
  expect(INTERNAL.filter((name) => names.has(name))).toEqual([]);
});
