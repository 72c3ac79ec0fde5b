/** CompareView: models side by side, counted in the browser as Python counts them. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import widget from "../src/compare";
import { nextSort, rowsOf, sorted } from "../src/compare/rows";
import { readCompareWire } from "../src/compare/wire";
import { createModel, type Model } from "../src/host";
import { byRole } from "../src/sum";
import type { Convention } from "../src/wire";
import { settle } from "./page";

interface Golden {
  wire: unknown;
  by_role: (Convention & { models: Record<string, number>[] })[];
}

const file = resolve(import.meta.dirname, "../../tests/golden/compare.json");
const cases: Golden[] = JSON.parse(readFileSync(file, "utf8"));

const stops: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) stop();
  document.body.replaceChildren();
});

async function show(model: Model): Promise<HTMLElement> {
  const el = document.body.appendChild(document.createElement("div"));
  stops.push(widget.render({ model, el }));
  await settle();
  return el;
}
const texts = (el: Element, selector: string) =>
  [...el.querySelectorAll(selector)].map((found) => found.textContent?.trim());
const click = async (el: Element, selector: string) => {
  el.querySelector<HTMLElement>(selector)?.click();
  await settle();
};

/** Two models as Python sends them: a tied head, and experts of which one in four is used. */
const pair = () => ({
  schema: 1,
  models: [
    {
      label: "a/small",
      short: "small",
      facts: ["2 layers"],
      source: "bundled",
      groups: [
        { role: "embedding", kind: "weight", elements: 100, active: 100 },
        { role: "mlp", kind: "weight", elements: 300, active: 300 },
        { role: "lm_head", kind: "weight", elements: 100, active: 100, tied: "embedding" },
      ],
    },
    {
      label: "a/large",
      short: "large",
      groups: [
        { role: "embedding", kind: "weight", elements: 200, active: 200 },
        { role: "routed_expert", kind: "weight", elements: 4000, active: 1000 },
        { role: "lm_head", kind: "weight", elements: 200, active: 200 },
      ],
    },
  ],
  roles: [
    { key: "embedding", label: "embedding" },
    { key: "mlp", label: "MLP" },
    { key: "routed_expert", label: "routed experts" },
    { key: "lm_head", label: "lm_head" },
  ],
  toggles: [
    { key: "embedding", label: "embedding", help: "the input table" },
    { key: "lm_head", label: "lm_head", help: "the output head" },
  ],
  defaults: { stored: ["scale"], architectural: ["scale"], active: ["mtp", "scale"] },
  differences: [
    { field: "num_experts", decides: true, values: ["–", "4"] },
    { field: "rope_theta", decides: false, values: [] },
  ],
});
const state = (more: Record<string, unknown> = {}) => ({
  data: pair(),
  basis: "stored",
  off: [],
  on: [],
  sort: "",
  ...more,
});

describe("the golden file", () => {
  it("has the same parts of every model under every convention", () => {
    for (const { wire, by_role } of cases) {
      const read = readCompareWire(wire);
      if (typeof read === "string") throw new Error(read);
      expect(by_role.length).toBeGreaterThan(20);
      for (const { models, ...convention } of by_role)
        expect(
          read.models.map((m) =>
            Object.fromEntries([...byRole(m.wire, convention)].filter(([, n]) => n !== 0)),
          ),
        ).toEqual(models);
    }
  });
});

describe("two models", () => {
  it("stand in rows with their totals and in columns by part", async () => {
    const el = await show(createModel(state()));
    expect(texts(el, ".pw-models tbody .pw-model-name")).toEqual(["small", "large"]);
    expect(texts(el, ".pw-models tbody .pw-long")).toEqual(["400", "400", "4,400", "1,400"]);
    expect(texts(el, ".pw-models tbody .pw-col-ratio")).toEqual(["1.00 ×", "3.14 ×"]);
    const rows = texts(el, ".pw-parts tbody tr").slice(0, 5);
    expect(rows).toEqual([
      "embedding10025.0%2004.5%",
      "MLP30075.0%–",
      "routed experts–4,00090.9%",
      "lm_head00%2004.5%",
      "total stored4004,400",
    ]);
  });

  it("count again when a box is unticked: the tied head takes the matrix over", async () => {
    const model = createModel(state());
    const el = await show(model);
    await click(el, "input[id$=toggle-embedding]");
    expect(model.get("off")).toEqual(["embedding"]);
    expect(texts(el, ".pw-models tbody .pw-long")).toEqual(["400", "400", "4,200", "1,200"]);
    expect(texts(el, "output")).toEqual(["stored: small 400, large 4,200"]);
  });

  it("follow what Python sets", async () => {
    const model = createModel(state());
    const el = await show(model);
    model.set("basis", "active");
    model.set("sort", "-active");
    await settle();
    expect(el.querySelector<HTMLInputElement>("input[value=active]")?.checked).toBe(true);
    expect(texts(el, ".pw-models tbody .pw-model-name")).toEqual(["large", "small"]);
  });

  it("say what their configs differ in", async () => {
    const el = await show(createModel(state()));
    expect(texts(el, ".pw-differences tbody tr")).toEqual(["num_experts–4"]);
    expect(texts(el, ".pw-differences > p")).toEqual([
      "Also different, but deciding nothing that is counted: rope_theta",
    ]);
  });

  it("say in words what each bar is made of", async () => {
    const el = await show(createModel(state()));
    expect(el.querySelector(".pw-stack")?.getAttribute("aria-label")).toBe("embedding 25.0%, MLP 75.0%");
  });
});

describe("the order", () => {
  it("is turned by the head of a column: descending, ascending, as given", async () => {
    const model = createModel(state());
    const el = await show(model);
    const head = ".pw-models th:nth-child(3) .pw-sort";
    const names = () => texts(el, ".pw-models tbody .pw-model-name");
    await click(el, head);
    expect([names(), model.get("sort")]).toEqual([["large", "small"], "-stored"]);
    expect(el.querySelector(".pw-models th:nth-child(3)")?.getAttribute("aria-sort")).toBe("descending");
    await click(el, head);
    expect([names(), model.get("sort")]).toEqual([["small", "large"], "stored"]);
    await click(el, head);
    expect([names(), model.get("sort")]).toEqual([["small", "large"], ""]);
  });

  it("puts a model without the part last, and equal ones as they were given", () => {
    const read = readCompareWire(pair());
    if (typeof read === "string") throw new Error(read);
    const rows = rowsOf(read, { basis: "stored", off: [], on: [] });
    const places = (sort: string) => sorted(rows, sort).map((row) => row.place);
    expect([places("-routed_expert"), places("-mlp"), places("norm"), places("model")]).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
    expect([nextSort("", "model"), nextSort("model", "model"), nextSort("-model", "model")]).toEqual([
      "model",
      "-model",
      "",
    ]);
  });
});

describe("many models", () => {
  const many = () => {
    const data = pair();
    const models = [0, 1, 2].flatMap((i) =>
      data.models.map((m) => ({ ...m, label: `${m.label}-${i}`, short: `${m.short}-${i}` })),
    );
    return { ...data, models };
  };

  it("are rows of shares that sort by part, and the fields are named, not tabled", async () => {
    const el = await show(createModel(state({ data: many() })));
    expect(el.querySelectorAll(".pw-many tbody tr").length).toBe(6);
    await click(el, ".pw-many th:nth-child(4) .pw-sort");
    expect(texts(el, ".pw-many tbody th")).toEqual([
      "large-0",
      "large-1",
      "large-2",
      "small-0",
      "small-1",
      "small-2",
    ]);
    expect(el.querySelector(".pw-differences table")).toBeNull();
    expect(texts(el, ".pw-differences > p")[0]).toBe("num_experts");
  });
});

describe("what cannot be shown", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });

  it.each([undefined, null, 5, {}, { schema: 1, models: [] }, { schema: 1, models: "x" }])(
    "%j is said in a sentence",
    async (data) => {
      const el = await show(createModel(state({ data })));
      expect(texts(el, ".pw-message")).toEqual(["No models to show: this view has no data."]);
    },
  );

  it("a saved state of another version says so", async () => {
    const el = await show(createModel(state({ data: { ...pair(), schema: 2 } })));
    expect(texts(el, ".pw-message")[0]).toContain("schema 2");
  });

  it("still counts and sorts when no kernel takes the choice", async () => {
    const model = createModel(state());
    model.save_changes = () => {
      throw new Error("no kernel");
    };
    const el = await show(model);
    await click(el, "input[id$=toggle-embedding]");
    await click(el, ".pw-models th:nth-child(3) .pw-sort");
    expect(texts(el, ".pw-models tbody .pw-long")).toEqual(["4,200", "1,200", "400", "400"]);
  });
});
