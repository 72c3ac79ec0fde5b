import { expect, it } from "vitest";
import { integer, percent, series, short, signed, times } from "../src/format";
import { copiesText, expertsPerLayer, layerCount } from "../src/layers";
import { readWire } from "../src/wire";
import { gptOss } from "./fixtures";

it.each([
  [2_419_804_697_984, "2.42T"],
  [116_829_156_672, "116.83B"],
  [579_133_440, "0.58B"],
  [136_134_656, "136.1M"],
  [13_275_648, "13.3M"],
  [210_240, "210,240"],
  [2_304, "2,304"],
  [0, "0"],
])("%d is short as %s", (n, text) => expect(short(n)).toBe(text));

it("terms of one sum share their unit", () => expect(short(136_134_656, 494_032_768)).toBe("0.14B"));

it.each([
  [3_584_424_960, 5_711_982_912, "62.8%"],
  [210_240, 5_711_982_912, "0.004%"],
  [2_304, 5_711_982_912, "0.00004%"],
  [13_275_648, 5_711_982_912, "0.2%"],
  [999, 1_000_000, "0.1%"],
  [95, 100_000, "0.1%"],
  [99_999, 100_000, "> 99.9%"],
  [5, 5, "100%"],
  [0, 5, "0%"],
  [5, 0, "0%"],
])("%d of %d is %s", (part, whole, text) => expect(percent(part, whole)).toBe(text));

it("a share of something there never reads as 0%", () => {
  for (let whole = 1; whole < 9e15; whole *= 7) expect(percent(1, whole)).toMatch(/[1-9]/);
});

it("signs, products, and lists read as written", () => {
  expect(integer(9_007_199_254_740_991)).toBe("9,007,199,254,740,991");
  expect(signed(-579_133_440)).toBe("− 579,133,440");
  expect(signed(579_133_440, short)).toBe("+ 0.58B");
  expect(times(116_829_156_672, 5_711_982_912)).toBe("20.5 ×");
  expect(series(["a", "b", "c"])).toBe("a, b and c");
  expect(series(["a"])).toBe("a");
});

it.each([
  ["", 0],
  ["0-35", 36],
  ["0-2,4-6", 6],
  ["61", 1],
  ["nonsense", 0],
])("layers %j are %d", (layers, n) => expect(layerCount(layers)).toBe(n));

it("copies are said as layers × experts", () => {
  const wire = readWire(gptOss());
  if (typeof wire === "string") throw new Error(wire);
  const expert = wire.tensors.find((t) => t.role === "routed_expert");
  const norm = wire.tensors.find((t) => t.role === "norm");
  const table = wire.tensors.find((t) => t.role === "embedding");
  if (!expert || !norm || !table) throw new Error("the fixture lacks a role");
  expect(expertsPerLayer(expert)).toEqual({ used: 4, all: 128 });
  expect(copiesText(expert, "active")).toBe("36 × 4 of 128");
  expect(copiesText(expert, "stored")).toBe("36 × 128");
  expect(copiesText(norm, "active")).toBe("36");
  expect(copiesText(table, "active")).toBe("1");
});
