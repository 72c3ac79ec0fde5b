import { describe, expect, it } from "vitest";
import { buildUp } from "../src/buildup";
import { bridge, byRole, effect, flip, sameConvention, total } from "../src/sum";
import type { Basis, Convention, Wire } from "../src/wire";
import { readWire } from "../src/wire";
import { deepseekV3, gptOss, hybrid, qwenTied } from "./fixtures";

const read = (data: unknown): Wire => {
  const wire = readWire(data);
  if (typeof wire === "string") throw new Error(wire);
  return wire;
};
const as = (basis: Basis, off: string[] = [], on: string[] = []): Convention => ({ basis, off, on });

describe("totals are the published integers", () => {
  // gpt-oss model card, Table 1, recomputed exactly; the other two from the counts of their checkpoints.
  it.each([
    ["gpt-oss-120b stored", gptOss(), as("stored"), 116_829_156_672],
    ["gpt-oss-120b architectural", gptOss(), as("architectural"), 116_829_156_672],
    ["gpt-oss-120b active", gptOss(), as("active"), 5_711_982_912],
    ["gpt-oss-120b active, embedding out", gptOss(), as("active", ["embedding"]), 5_132_849_472],
    ["gpt-oss-120b active, lm_head out", gptOss(), as("active", ["lm_head"]), 5_132_849_472],
    ["gpt-oss-120b active, both out", gptOss(), as("active", ["embedding", "lm_head"]), 4_553_716_032],
    ["Qwen2.5-0.5B stored", qwenTied(), as("stored"), 494_032_768],
    ["Qwen2.5-0.5B architectural", qwenTied(), as("architectural"), 630_167_424],
    ["Qwen2.5-0.5B active", qwenTied(), as("active"), 494_032_768],
    ["Qwen2.5-0.5B: the head takes the table over", qwenTied(), as("active", ["embedding"]), 494_032_768],
    ["Qwen2.5-0.5B: both out", qwenTied(), as("active", ["embedding", "lm_head"]), 357_898_112],
    ["DeepSeek-V3 stored", deepseekV3(), as("stored"), 682_636_487_424],
    ["DeepSeek-V3 architectural", deepseekV3(), as("architectural"), 684_489_845_504],
    ["DeepSeek-V3 stored, MTP out", deepseekV3(), as("stored", ["mtp"]), 671_026_419_200],
    ["DeepSeek-V3 active", deepseekV3(), as("active"), 37_552_297_472],
    ["DeepSeek-V3 active, one table", deepseekV3(), as("active", ["embedding"]), 36_625_618_432],
  ])("%s", (_, data, convention, expected) => {
    expect(total(read(data), convention)).toBe(expected);
  });
});

const MODELS = { gptOss, qwenTied, deepseekV3, hybrid };
const CONVENTIONS = [
  as("stored"),
  as("architectural", ["norm"]),
  as("active"),
  as("active", ["embedding"]),
  as("active", ["lm_head", "bias"], ["mtp", "vision"]),
  as("stored", ["embedding", "router"], ["scale"]),
];

describe.each(Object.entries(MODELS))("every convention of %s", (_, make) => {
  const wire = read(make());

  it("has roles that add up to the total", () => {
    for (const c of CONVENTIONS)
      expect([...byRole(wire, c).values()].reduce((a, b) => a + b, 0)).toBe(total(wire, c));
  });

  it("has a build-up that adds up to the total", () => {
    for (const c of CONVENTIONS)
      expect(buildUp(wire, c).reduce((n, term) => n + term.n, 0)).toBe(total(wire, c));
  });

  it("is bridged to every other in steps that add up and are never 0", () => {
    for (const from of CONVENTIONS)
      for (const to of CONVENTIONS) {
        const steps = bridge(wire, from, to);
        expect(total(wire, from) + steps.reduce((n, step) => n + step.delta, 0)).toBe(total(wire, to));
        expect(steps.every((step) => step.delta !== 0)).toBe(true);
      }
  });

  it("changes by the effect of a toggle when that toggle is flipped, and comes back", () => {
    for (const c of CONVENTIONS)
      for (const { key } of wire.toggles) {
        const flipped = flip(wire, c, key);
        expect(Math.abs(total(wire, flipped) - total(wire, c))).toBe(effect(wire, c, key));
        expect(sameConvention(wire, flip(wire, flipped, key), c)).toBe(true);
      }
  });
});

describe("flip", () => {
  it("keeps departures in canonical order", () => {
    const wire = read(gptOss());
    const once = flip(wire, as("active", ["bias"]), "embedding");
    expect(once).toEqual(as("active", ["embedding", "bias"]));
  });

  it("counts a part that the basis leaves out by putting it on", () => {
    const wire = read(deepseekV3());
    expect(flip(wire, as("active"), "mtp")).toEqual(as("active", [], ["mtp"]));
    expect(flip(wire, as("active", [], ["mtp"]), "mtp")).toEqual(as("active"));
  });

  it("puts a part on even where it is both off and left out by default", () => {
    const wire = read(deepseekV3());
    expect(flip(wire, as("active", ["mtp"]), "mtp")).toEqual(as("active", [], ["mtp"]));
  });
});

describe("tied tables", () => {
  it("say that leaving out one of the two names changes nothing", () => {
    const wire = read(qwenTied());
    expect(effect(wire, as("active"), "embedding")).toBe(0);
    expect(effect(wire, as("active"), "lm_head")).toBe(0);
    expect(effect(wire, as("active", ["embedding"]), "lm_head")).toBe(136_134_656);
    expect(effect(wire, as("architectural"), "lm_head")).toBe(136_134_656);
  });

  it("let only the head take over: an MTP copy does not", () => {
    const wire = read(deepseekV3());
    const without = total(wire, as("stored", ["embedding"]));
    expect(total(wire, as("stored")) - without).toBe(926_679_040);
  });
});

it("the build-up of the model card's count has the card's three terms", () => {
  expect(buildUp(read(gptOss()), as("active", ["embedding"]))).toEqual([
    { label: "experts", n: 3_584_424_960 },
    { label: "attention, router and norms", n: 969_291_072 },
    { label: "lm_head", n: 579_133_440 },
  ]);
});

it("presets that leave out parts which a model lacks are the same convention", () => {
  const wire = read(gptOss());
  expect(sameConvention(wire, as("active", ["embedding", "position"]), as("active", ["embedding"]))).toBe(
    true,
  );
  expect(sameConvention(wire, as("active"), as("stored"))).toBe(false);
});
