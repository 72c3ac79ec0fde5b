/** The picture as a file: nothing of it is wider than it. How it looks is tested in browsers. */
import { afterEach, describe, expect, it, vi } from "vitest";
import words from "../../tests/golden/words.json";
import { savePng, toSvg } from "../src/export";
import { type Scene, START } from "../src/scene";
import { total } from "../src/sum";
import { readWire } from "../src/wire";
import { deepseekV3 } from "./fixtures";

afterEach(() => vi.unstubAllGlobals());

const NOW = {
  basis: "active" as const,
  off: ["embedding", "lm_head", "router", "shared_expert", "norm"],
  on: [],
};

function sceneOf(more: object = {}, sentence = "") {
  const wire = readWire({ ...deepseekV3(), words, ...more });
  if (typeof wire === "string") throw Error(wire);
  const root = document.body.appendChild(document.createElement("div"));
  root.innerHTML = "<p class=pw-sentence></p>";
  (root.firstChild as HTMLElement).textContent = sentence;
  return { wire, now: NOW, total: total(wire, NOW), root, ui: START, set: vi.fn() } as unknown as Scene;
}

/** The lines from the left edge, with their size. */
const linesOf = (svg: string) =>
  [...svg.matchAll(/<text x="24" y="[\d.]+" font-size="(\d+)"[^>]*>([^<]*)</g)].map(
    ([, size, text]) => [Number(size), text ?? ""] as const,
  );

describe("lines of the saved picture", () => {
  const long = `${"36.15B without embedding, ".repeat(12)}and ${"x".repeat(400)}`;
  it("are no wider than it, with nothing lost", () => {
    const cite = `${"folder/".repeat(40)}model, paramwidget 0.1.0`;
    const scene = sceneOf({ model: "m/".repeat(90), provenance: { cite } }, long);
    const lines = linesOf(toSvg(scene));
    for (const [size, text] of lines) expect([text, size * text.length * 0.55 <= 912]).toEqual([text, true]);
    const joined = (wanted: number) =>
      lines
        .filter(([size]) => size === wanted)
        .map(([, text]) => text)
        .join("");
    expect(joined(14)).toBe(long);
    expect(joined(15)).toContain("m/".repeat(90));
    expect(joined(10)).toContain(cite);
  });
  it("break between parts where there are any, and never inside of a letter", () => {
    const sentence = linesOf(toSvg(sceneOf({}, long))).filter(([size]) => size === 14);
    expect(sentence[0]?.[1]).toMatch(/embedding, $/);
    const odd = linesOf(toSvg(sceneOf({}, `x${"😀".repeat(300)}`)));
    for (const [, text] of odd) expect(() => encodeURIComponent(text)).not.toThrow();
  });
});

it("where a picture cannot be drawn as PNG, that is said", () => {
  const made: { onerror?(): void }[] = [];
  vi.stubGlobal(
    "Image",
    class {
      constructor() {
        made.push(this);
      }
    },
  );
  const scene = sceneOf();
  savePng(scene);
  made[0]?.onerror?.();
  expect(scene.set).toHaveBeenCalledWith({ unsaved: "The browser cannot draw this as PNG. Save it as SVG." });
});
