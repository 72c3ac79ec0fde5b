import { expect, it } from "vitest";
import { citation } from "../src/citation";
import {
  allDepartures,
  chosenClaims,
  claimText,
  describe,
  nearestReading,
  typed,
  verdictOf,
} from "../src/claims";
import { picture, sizeOf } from "../src/picture";
import { bridge } from "../src/sum";
import type { Claim, Convention, Wire } from "../src/wire";
import { readWire, webAddress } from "../src/wire";
import { claim } from "./claim";
import { deepseekV3, gptOss, hybrid, qwenTied } from "./fixtures";

const read = (data: unknown): Wire => {
  const wire = readWire(data);
  if (typeof wire === "string") throw new Error(wire);
  return wire;
};
const active = (...off: string[]): Convention => ({ basis: "active", off, on: [] });
const headline = (wire: Wire): Claim => {
  if (!wire.headline) throw new Error("the fixture has no headline");
  return wire.headline;
};

it("two readings that leave out one table each are said without naming either", () => {
  const wire = read(gptOss());
  expect(claimText(wire, headline(wire))).toBe("model card: 5.13B, one table out");
});

it("the words follow the readings, not the model", () => {
  const wire = read({ ...qwenTied(), headline: 0 });
  expect(claimText(wire, headline(wire))).toBe("model card: 0.36B, both tables out");
  const deepseek = read({ ...deepseekV3(), headline: 0 });
  expect(claimText(deepseek, headline(deepseek))).toBe("model card: 671B, MTP out");
  const none = read({ ...gptOss(), headline: 2 });
  expect(claimText(none, headline(none))).toBe(
    "a number that nothing explains: 5.5B, no way of counting fits",
  );
});

it("a number whose parts are of one size says which parts and how large", () => {
  const wire = read(gptOss());
  const { matches, because, decidedBy, text } = verdictOf(wire, headline(wire));
  expect(matches.map((m) => [m.off, m.total])).toEqual([
    [["embedding"], 5_132_849_472],
    [["lm_head"], 5_132_849_472],
  ]);
  expect(because).toBe("embedding and lm_head are both 579,133,440");
  expect(decidedBy?.text).toBe("Unembedding parameters are counted towards active, but not embeddings.");
  expect(text).toBe(
    "5.13B active: ambiguous. Embedding out (gpt-oss model card) or lm_head out gives 5,132,849,472 active; " +
      "indistinguishable by number, as embedding and lm_head are both 579,133,440.",
  );
});

it("the nearest reading is the reader's own, and else the documented one", () => {
  const wire = read(gptOss());
  const claim = headline(wire);
  expect(nearestReading(wire, claim, active("lm_head"))?.off).toEqual(["lm_head"]);
  expect(nearestReading(wire, claim, active("lm_head", "bias"))?.off).toEqual(["lm_head"]);
  expect(nearestReading(wire, claim, active())?.off).toEqual(["embedding"]);
  expect(nearestReading(wire, claim, { basis: "stored", off: [], on: [] })?.off).toEqual(["embedding"]);
});

it("the bridge from the card names the part that its reading left out", () => {
  const wire = read(gptOss());
  expect(bridge(wire, active("embedding"), active())).toEqual([
    { key: "embedding", label: "embedding", delta: 579_133_440 },
  ]);
  expect(bridge(wire, active("lm_head"), active())).toEqual([
    { key: "lm_head", label: "lm_head", delta: 579_133_440 },
  ]);
  const toStored = bridge(wire, active("embedding"), { basis: "stored", off: [], on: [] });
  expect(toStored.map((step) => step.key)).toEqual(["basis:routed_expert", "embedding"]);
});

it("conventions are described against their default", () => {
  const wire = read(deepseekV3());
  expect(describe(wire, active())).toBe("by default (MTP out)");
  expect(describe(wire, { basis: "active", off: ["embedding"], on: ["mtp"] })).toBe("embedding out, MTP in");
  expect(describe(wire, { basis: "stored", off: [], on: [] })).toBe("nothing left out");
});

it("the citation carries departures beside the number that they changed", () => {
  const wire = read(gptOss());
  expect(citation(wire, active("embedding"))).toBe(
    "116,829,156,672 stored, 5,132,849,472 active (lm_head in, embedding out), openai/gpt-oss-120b (bundled snapshot, revision not pinned), paramwidget 0.1.0",
  );
  const old = read({ ...gptOss(), provenance: {} });
  expect(citation(old, active())).toBe("116,829,156,672 stored, 5,711,982,912 active, openai/gpt-oss-120b");
});

it("a claim that cannot be read falls back to the headline", () => {
  const wire = read(gptOss());
  expect(chosenClaims(wire, "117B", "active")[0]?.text).toBe("117B");
  expect(chosenClaims(wire, "no such claim", "active")[0]).toBe(wire.headline);
  expect(chosenClaims(read({ ...gptOss(), headline: null }), null, "active")[0]).toBe(undefined);
});

it("with no claim chosen, the finest of the basis comes before the headline", () => {
  const data = gptOss();
  data.claims.push(claim({ source: "a card", text: "116.83B" }));
  const wire = read(data);
  expect(chosenClaims(wire, null, "stored")[0]?.text).toBe("116.83B");
  expect(chosenClaims(wire, null, "active")[0]).toBe(wire.headline);
  expect(chosenClaims(wire, null, "architectural")[0]).toBe(wire.headline);
  expect(chosenClaims(wire, "117B", "stored")[0]?.text).toBe("117B");
});

it("a claim is said to be met where the reader departs as one of its readings does", () => {
  const wire = read(gptOss());
  expect(claimText(wire, headline(wire), active("embedding"))).toBe("the model card's 5.13B");
  expect(claimText(wire, headline(wire), { ...active("lm_head"), basis: "stored" })).toBe(
    "the model card's 5.13B",
  );
  expect(claimText(wire, headline(wire), active())).toBe("model card: 5.13B, one table out");
});

it("departures over all bases name a part that only another basis counts by default", () => {
  const wire = read(deepseekV3());
  expect(allDepartures(wire, active("mtp"))).toBe("MTP out");
  expect(allDepartures(wire, { basis: "stored", off: [], on: ["mtp"] })).toBe("MTP in");
  expect(allDepartures(wire, active())).toBe("");
});

it("only web addresses become links", () => {
  expect(webAddress("https://arxiv.org/abs/2508.10925")).toBe("https://arxiv.org/abs/2508.10925");
  expect(webAddress("javascript:alert(1)")).toBe(undefined);
});

it("the larger bar holds what the reader's basis counts, the other all that is stored", () => {
  const wire = read(gptOss());
  const layout = picture(wire, active());
  expect(sizeOf(layout.bar)).toBe(5_711_982_912);
  expect(sizeOf([...layout.lit, ...layout.idle])).toBe(116_829_156_672);
  expect(layout.experts).toEqual({ used: 4, all: 128 });
  const stored = picture(wire, { basis: "stored", off: [], on: [] });
  expect(sizeOf(stored.bar)).toBe(116_829_156_672);
  expect(sizeOf(stored.lit)).toBe(5_711_982_912);
});

it("a part left out keeps its place in the bar", () => {
  const wire = read(gptOss());
  const before = picture(wire, active()).bar;
  const after = picture(wire, active("embedding")).bar;
  expect(after.map((s) => [s.role, s.size])).toEqual(before.map((s) => [s.role, s.size]));
  expect(after.find((s) => s.role === "embedding")?.out).toBe(true);
});

it("a dense model has one bar, in which a tied head shares the table's stretch", () => {
  const wire = read(qwenTied());
  const layout = picture(wire, active("embedding"));
  expect(layout.idle).toEqual([]);
  expect(layout.bar[0]?.label).toBe("embedding = lm_head");
  expect(layout.bar[0]?.out).toBe(false);
  expect(picture(wire, active("embedding", "lm_head")).bar[0]?.out).toBe(true);
  expect(sizeOf(picture(wire, { basis: "architectural", off: [], on: [] }).bar)).toBe(630_167_424);
});

it("what no token uses stands behind the idle experts", () => {
  const layout = picture(read(hybrid()), active());
  expect(layout.idle.map((s) => s.role)).toEqual(["routed_expert", "vision", "projector", "mtp"]);
  expect(layout.lit.map((s) => s.role)).toEqual(layout.bar.map((s) => s.role));
});

it("a tie means the first tensor of a name that comes again in other layers", () => {
  const data = qwenTied();
  const table = data.tensors.find((t) => t.role === "embedding");
  if (!table) throw new Error("the fixture has no table");
  data.tensors.push({ ...table, role: "mtp", layers: "61", copies: 0, active_copies: 0 });
  const head = read(data).tensors.find((t) => t.role === "lm_head");
  expect(head?.tiedRole).toBe("embedding");
});

it("words of a typed claim that are not read are named, but for names of the model and of sources", () => {
  const wire = read(gptOss());
  const remarks = (text: string) => {
    const found = typed(wire, text);
    return typeof found === "string" ? found : found.map((c) => c.remark);
  };
  expect(remarks("gpt-oss by OpenAI: 117B, 5.13B actv")).toEqual([
    "",
    "Not read: actv. Read as active, as the smaller of two numbers.",
  ]);
  expect(remarks("5.1B (model card)")).toEqual([""]);
  const [claim] = typed(wire, "5.1B actv") as Claim[];
  expect(verdictOf(wire, claim as Claim).text).toMatch(
    /^5\.1B: none\. Not read: actv\. Nearest to the printed /,
  );
});

it("what is typed is a bundled claim, or is read, or is refused with what can be read", () => {
  const wire = read(gptOss());
  expect(typed(wire, "5.13B active")).toEqual([wire.headline]);
  const both = typed(wire, "117B parameters with 5.1B active parameters");
  expect(typeof both === "string" ? both : both.map((c) => [c.text, c.basis])).toEqual([
    ["117B", "stored"],
    ["5.1B active", "active"],
  ]);
  expect(typed(wire, "many")).toMatch(/^'many' has no number that can be read\. Write it like 5\.1B/);
});
