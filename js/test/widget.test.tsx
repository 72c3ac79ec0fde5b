import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import golden from "../../tests/golden/memory.json";
import { createModel, type Model } from "../src/host";
import widget from "../src/index";
import { claim } from "./claim";
import { deepseekV3, gptOss, qwenTied } from "./fixtures";
import { drawn, settle } from "./page";

const stops: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) stop();
  document.body.replaceChildren();
});

async function show(model: Model): Promise<HTMLElement> {
  const el = document.body.appendChild(document.createElement("div"));
  stops.push(widget.render({ model, el }));
  await drawn(el);
  return el;
}

const state = (more: Record<string, unknown> = {}) => ({
  data: gptOss(),
  basis: "active",
  off: [],
  on: [],
  claim: null,
  ...more,
});

function get<E extends Element = HTMLElement>(el: Element, selector: string): E {
  const found = el.querySelector<E>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}
const box = (el: Element, key: string) => get<HTMLInputElement>(el, `input[id$="toggle-${key}"]`);
const button = (el: Element, text: string) => {
  const found = [...el.querySelectorAll("button")].find((b) => b.textContent?.trim().startsWith(text));
  if (!found) throw new Error(`no button says ${text}`);
  return found;
};
const chosenTotal = (el: Element) => get(el, ".pw-basis-choice:has(:checked) .pw-basis-exact").textContent;
const text = (el: Element, selector: string) => get(el, selector).textContent;

it("what is read first is there at once, and the open view after it is painted", async () => {
  const el = document.body.appendChild(document.createElement("div"));
  stops.push(widget.render({ model: createModel(state()), el }));
  expect(text(el, ".pw-sentence")).toContain("116.83B stored");
  expect(text(el, ".pw-verdict")).toContain("5,132,849,472");
  expect(el.querySelectorAll(".pw-bar-main .pw-stretch").length).toBeGreaterThan(3);
  expect(text(el, ".pw-panel")).toBe("");
  await drawn(el);
  expect(text(el, ".pw-panel")).toContain("579,133,440");
});

it("a view that is closed before it is whole stays closed", async () => {
  const el = document.body.appendChild(document.createElement("div"));
  widget.render({ model: createModel(state()), el })();
  await settle();
  expect(el.childNodes.length).toBe(0);
});

it("the share of the experts follows what is counted, as the rows do", async () => {
  const el = await show(createModel(state({ basis: "stored" })));
  expect(text(el, ".pw-idle")).toContain("98.2% in experts");
  box(el, "embedding").click();
  box(el, "lm_head").click();
  await settle();
  expect(text(el, ".pw-idle")).toContain("99.2% in experts");
  expect(text(el, '.pw-ledger [data-role="routed_expert"] .pw-col-share')).toBe("99.2%");
});

describe("the first screen of gpt-oss-120b", () => {
  it("says the sentence, the totals and the ratios", async () => {
    const el = await show(createModel(state()));
    expect(text(el, ".pw-sentence")).toBe("116.83B stored, 5.71B active (model card: 5.13B, one table out)");
    expect(chosenTotal(el)).toBe("5,711,982,912");
    expect(text(el, ".pw-ratios")).toContain("stored / active 20.5 ×");
    expect(text(el, ".pw-ratios")).toContain("active share 4.9%");
    expect(text(el, ".pw-ratios")).not.toContain("gap");
  });

  it("counts every basis as the tiles do, and says the departures once", async () => {
    const el = await show(createModel(state({ off: ["embedding"] })));
    expect(text(el, ".pw-sentence")).toBe(
      "116.25B stored, 5.13B active with embedding out (the model card's 5.13B)",
    );
    expect([...el.querySelectorAll(".pw-basis-short")].map((e) => e.textContent)).toEqual([
      "116.25B",
      "116.25B",
      "5.13B",
    ]);
  });

  it("says what the card meant, does not decide which table it left out, and cites what does", async () => {
    const el = await show(createModel(state()));
    expect(text(el, ".pw-verdict b")).toBe("≈ 5.13B active: ambiguous");
    expect(text(el, ".pw-verdict")).toContain(
      "Embedding out (gpt-oss model card) or lm_head out gives 5,132,849,472 active; indistinguishable by number",
    );
    expect(text(el, ".pw-source")).toBe(
      "gpt-oss model card, Table 1: “Unembedding parameters are counted towards active, but not embeddings.” source",
    );
    expect(get<HTMLAnchorElement>(el, ".pw-source a").href).toBe("https://arxiv.org/abs/2508.10925");
  });

  it("bridges the card's number to the reader's", async () => {
    const el = await show(createModel(state()));
    expect(text(el, ".pw-rail .pw-terms")).toBe("5.13B + 0.58B = 5.71B");
    const el2 = await show(createModel(state({ off: ["lm_head"] })));
    expect(text(el2, ".pw-same")).toContain("5,132,849,472");
    expect(text(el2, ".pw-rail .pw-exact")).toContain("lm_head+ 579,133,440");
  });

  it("builds the card's count up from experts, body and one table", async () => {
    const el = await show(createModel(state({ off: ["embedding"], view: "parts" })));
    expect(text(el, ".pw-sum .pw-terms")).toBe(
      "3.58B experts + 0.97B attention, router and norms + 0.58B lm_head = 5.13B",
    );
  });

  it("has a box for toggles only: the body has a row and none", async () => {
    const el = await show(createModel(state()));
    expect([...el.querySelectorAll("input[type=checkbox]")].map((i) => i.id.split("toggle-")[1])).toEqual([
      "embedding",
      "router",
      "norm",
      "lm_head",
      "bias",
    ]);
    expect(el.querySelectorAll("tbody .pw-name")).toHaveLength(6);
  });
});

describe("a click", () => {
  it("on a toggle sets off once, saves once, and shows the new total", async () => {
    const model = createModel(state());
    const set = vi.spyOn(model, "set");
    const save = vi.spyOn(model, "save_changes");
    const el = await show(model);
    box(el, "embedding").click();
    await settle();
    expect(set.mock.calls).toEqual([["off", ["embedding"]]]);
    expect(save).toHaveBeenCalledTimes(1);
    expect(chosenTotal(el)).toBe("5,132,849,472");
    expect(box(el, "embedding").checked).toBe(false);
  });

  it("builds on the click before it, even before a redraw", async () => {
    const model = createModel(state());
    const el = await show(model);
    box(el, "lm_head").click();
    box(el, "embedding").click();
    await settle();
    expect(model.get("off")).toEqual(["embedding", "lm_head"]);
    expect(chosenTotal(el)).toBe("4,553,716,032");
  });

  it("is not undone by late echoes of older values", async () => {
    const model = createModel(state());
    const el = await show(model);
    box(el, "embedding").click();
    box(el, "lm_head").click();
    await settle();
    model.set("off", ["embedding"]);
    await settle();
    expect(chosenTotal(el)).toBe("4,553,716,032");
    model.set("off", ["embedding", "lm_head"]);
    await settle();
    expect(chosenTotal(el)).toBe("4,553,716,032");
  });

  it("is followed by Python's choice even where it looks like a late echo", async () => {
    const model = createModel(state());
    const el = await show(model);
    box(el, "embedding").click();
    box(el, "embedding").click();
    await settle();
    model.set("off", ["embedding"]);
    await vi.waitFor(() => expect(chosenTotal(el)).toBe("5,132,849,472"), { timeout: 5000 });
  });

  it("works where the model tells no changes back", async () => {
    const model = { ...createModel(state()), on() {}, off() {} };
    const el = await show(model);
    box(el, "embedding").click();
    await settle();
    expect(chosenTotal(el)).toBe("5,132,849,472");
  });

  it("on a reading, a preset, a basis or a claim applies it and marks it", async () => {
    const model = createModel(state());
    const el = await show(model);
    button(el, "lm_head out").click();
    await settle();
    expect(model.get("off")).toEqual(["lm_head"]);
    expect(button(el, "lm_head out").getAttribute("aria-pressed")).toBe("true");
    button(el, "gpt-oss model card").click();
    await settle();
    expect(model.get("off")).toEqual(["embedding"]);
    expect(text(el, ".pw-cite")).toContain("gpt-oss model card, Table 1");
    get<HTMLInputElement>(el, "input[value=stored]").click();
    await settle();
    expect(model.get("basis")).toBe("stored");
    expect(model.get("off")).toEqual(["embedding"]);
    button(el, "= 117B").click();
    await settle();
    expect(model.get("claim")).toBe("117B");
    expect(text(el, ".pw-rail .pw-terms")).toBe("116.83B − 0.58B = 116.25B");
  });

  it("keeps the element that has the focus: the view is patched, not rebuilt", async () => {
    const el = await show(createModel(state()));
    const before = box(el, "embedding");
    before.focus();
    before.click();
    await settle();
    expect(box(el, "embedding")).toBe(before);
    expect(document.activeElement).toBe(before);
  });

  it("on reset takes back every departure and leaves the focus in the view", async () => {
    const model = createModel(state({ off: ["embedding", "bias"] }));
    const el = await show(model);
    button(el, "reset").click();
    await settle();
    expect(model.get("off")).toEqual([]);
    expect(chosenTotal(el)).toBe("5,711,982,912");
    expect(document.activeElement).toBe(get(el, "input[value=active]"));
  });

  it("announces the new total once, and nothing at first", async () => {
    const el = await show(createModel(state()));
    expect(text(el, "[data-pw-live]")).toBe("");
    box(el, "embedding").click();
    await settle();
    const spoken = [...el.querySelectorAll("[aria-live]")].map((e) => e.textContent).filter(Boolean);
    expect(spoken).toEqual(["5,132,849,472 parameters, active"]);
  });

  it("on a stretch of the bar marks the part everywhere and says how large it is", async () => {
    const model = createModel(state());
    const el = await show(model);
    const head = get(el, ".pw-bar-main .pw-role-lm_head");
    expect(head.title).toBe("lm_head: 579,133,440");
    expect(text(el, ".pw-readout")).toContain("router 13.3M");
    head.click();
    await settle();
    expect(model.get("selected")).toBe("lm_head");
    expect(text(el, ".pw-readout")).toContain("579,133,440 stored, 579,133,440 active, 10.1%");
    const marked = [...el.querySelectorAll("[data-selected]")].map((e) => e.tagName);
    expect(marked).toEqual(["SPAN", "SPAN", "TBODY"]);
    button(el, "clear").click();
    await settle();
    expect(el.querySelectorAll("[data-selected]")).toHaveLength(0);
  });

  it("on copy confirms in the button's place for a while", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const el = await show(createModel(state()));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    button(el, "copy citation").click();
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(20);
      expect(text(el, ".pw-copy .pw-away")).toBe("copy citation");
    });
    expect(writeText).toHaveBeenCalledWith(
      "116,829,156,672 stored, 5,711,982,912 active, openai/gpt-oss-120b (bundled snapshot, revision not pinned), paramwidget 0.1.0",
    );
    expect(text(el, "[data-pw-live]")).toContain("Copied 116,829,156,672");
    await vi.advanceTimersByTimeAsync(3000);
    vi.useRealTimers();
    await settle();
    expect(text(el, ".pw-copy .pw-away")).toBe("copied");
  });

  it("on an abbreviated number copies its exact integer", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const el = await show(createModel(state()));
    const short = button(el, "116.83B");
    expect(short.getAttribute("aria-label")).toBe("116.83B: exactly 116,829,156,672, copy");
    short.click();
    await settle();
    expect(writeText).toHaveBeenCalledWith("116,829,156,672");
  });

  it("on copy where the browser refuses shows the line until it is dismissed", async () => {
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("refused"));
    const el = await show(createModel(state()));
    button(el, "copy citation").click();
    await settle();
    expect(text(el, ".pw-citation")).toContain("5,711,982,912 active, openai/gpt-oss-120b");
    button(el, "dismiss").click();
    await settle();
    expect(el.querySelector(".pw-citation")).toBe(null);
    expect(document.activeElement).toBe(button(el, "copy citation"));
  });

  it("on a name opens its tensors with formula and exact count", async () => {
    const el = await show(createModel(state()));
    button(el, "routed experts").click();
    await settle();
    const row = text(el, ".pw-tensor");
    expect(row).toContain("model.layers.{layer}.mlp.experts.gate_up_proj");
    expect(row).toContain("2,388,787,200");
    const formula = text(el, ".pw-formula");
    expect(formula).toContain("× 144 (36 × 4 of 128) = 2,388,787,200");
    expect(formula).toContain("in the file 128 × 2,880 × 5,760, stacked over num_local_experts");
  });
});

describe("a key", () => {
  const press = (target: Element, key: string, more = {}) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

  it("that the view handles does not reach the host, which is asked to keep its shortcuts away", async () => {
    const el = await show(createModel(state()));
    const heard = vi.fn();
    el.addEventListener("keydown", (event) => heard((event as KeyboardEvent).key));
    for (const key of ["ArrowUp", " ", "Enter"]) press(box(el, "embedding"), key);
    expect(heard).not.toHaveBeenCalled();
    press(box(el, "embedding"), "Enter", { shiftKey: true });
    expect(heard).toHaveBeenCalledWith("Enter");
    // The host asks the element itself, before the view hears of the key.
    expect(box(el, "embedding").hasAttribute("data-lm-suppress-shortcuts")).toBe(false);
    press(box(el, "embedding"), "d");
    expect(box(el, "embedding").hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
    press(box(el, "embedding"), "s", { ctrlKey: true });
    expect(box(el, "embedding").hasAttribute("data-lm-suppress-shortcuts")).toBe(false);
  });
});

it("the focus leaves the view with the pointer", async () => {
  const el = await show(createModel(state()));
  box(el, "embedding").focus();
  get(el, ".pw-sentence").dispatchEvent(new Event("pointerdown", { bubbles: true, composed: true }));
  expect(document.activeElement).toBe(box(el, "embedding"));
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true, composed: true }));
  expect(document.activeElement).toBe(document.body);
});

describe("rows of tensors", () => {
  it("say their layers where not every layer of the stack has them, or others repeat their name", async () => {
    const data = gptOss();
    const norm = data.tensors.find((t) => t.name.endsWith("input_layernorm.weight"));
    if (!norm) throw new Error("the fixture lacks a norm");
    const other = { ...norm, layers: "1,3,5,7,9", copies: 5, active_copies: 5 };
    data.tensors.push(other);
    const alone = "model.layers.{layer}.eh_norm.weight";
    data.tensors.push({ ...norm, name: alone, layers: "36", copies: 1, active_copies: 1 });
    const el = await show(createModel(state({ data })));
    button(el, "norms").click();
    await settle();
    const rows = [...el.querySelectorAll("tbody[data-role=norm] .pw-tensor th")].map((th) => th.textContent);
    expect(rows).toEqual([
      "model.layers.{layer}.input_layernorm.weight layers 0–35",
      "model.layers.{layer}.post_attention_layernorm.weight",
      "model.norm.weight",
      "model.layers.{layer}.input_layernorm.weight layers 1, 3, 5 …",
      "model.layers.{layer}.eh_norm.weight layer 36",
    ]);
  });

  it("give the shape of packed values as unpacked, and say once what is implied", async () => {
    const data = gptOss();
    for (const t of data.tensors)
      if (t.stacked) Object.assign(t, { dtype: "mxfp4", implied: true, note: "implied by the quantization" });
    const el = await show(createModel(state({ data })));
    button(el, "routed experts").click();
    await settle();
    expect(text(el, ".pw-formula")).toContain("unpacked 128 × 2,880 × 5,760, stacked over num_local_experts");
    expect(text(el, ".pw-formula").match(/implied/g)).toHaveLength(1);
  });

  it("are counted in words", async () => {
    const el = await show(createModel(state()));
    expect(button(el, "all").textContent).toBe("all 20 tensors");
  });
});

it("the bar says what the claim counts only where both are on one basis", async () => {
  const model = createModel(state());
  const el = await show(model);
  expect(el.querySelectorAll(".pw-in-claim")).toHaveLength(5);
  expect(el.querySelectorAll(".pw-not-in-claim")).toHaveLength(1);
  expect(text(el, ".pw-claimed")).toBe("5.13B: what the model card counts");
  model.set("basis", "architectural");
  await settle();
  expect(el.querySelectorAll(".pw-in-claim")).toHaveLength(0);
});

describe("Python", () => {
  it("setting a trait moves the toggle", async () => {
    const model = createModel(state());
    const el = await show(model);
    model.set("off", ["embedding"]);
    await settle();
    expect(box(el, "embedding").checked).toBe(false);
    model.set("basis", "stored");
    await settle();
    expect(get<HTMLInputElement>(el, "input[value=stored]").checked).toBe(true);
  });

  it("sending other data redraws", async () => {
    const model = createModel(state());
    const el = await show(model);
    model.set("data", qwenTied());
    await settle();
    expect(text(el, ".pw-model")).toBe("Qwen/Qwen2.5-0.5B");
    expect(text(el, ".pw-ratios")).toContain("architectural gap +27.6%");
  });
});

describe("what was typed and cannot be read", () => {
  const bad = (el: Element) => el.querySelector(".pw-verdict .pw-bad")?.textContent ?? "";
  async function typed(model: Model): Promise<HTMLElement> {
    const el = await show(model);
    const form = get<HTMLFormElement>(el, "form.pw-ask");
    get<HTMLInputElement>(form, "input").value = "hello";
    form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    await settle();
    expect(bad(el)).toContain("no number");
    return el;
  }

  it.each([
    ["a claim that is chosen", (_: Model, el: Element) => button(el, "≈ 5.13B active").click()],
    ["a claim that Python sets", (model: Model) => model.set("claim", "117B")],
    ["another model", (model: Model) => model.set("data", qwenTied())],
  ])("is said until there is %s", async (_, change) => {
    const model = createModel(state({ claim: "5.13B active" }));
    const el = await typed(model);
    change(model, el);
    await settle();
    expect(bad(el)).toBe("");
    expect(el.querySelector(".pw-verdict b")).not.toBe(null);
  });

  it("is still said after a picture was saved", async () => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    const el = await typed(createModel(state()));
    button(el, "SVG").click();
    await settle();
    expect(bad(el)).toContain("no number");
  });
});

it("a claim of no text is none, and none is told as that: a linked box of text cannot hold null", async () => {
  const model = createModel(state({ claim: "", selected: "router" }));
  const el = await show(model);
  expect(text(el, ".pw-verdict b")).toBe("≈ 5.13B active: ambiguous");
  button(el, "clear").click();
  await settle();
  expect(model.get("selected")).toBe("");
  expect(el.querySelector("[data-selected]")).toBe(null);
});

it("what was searched and sorted in the table goes with its model", async () => {
  const model = createModel(state({ view: "table" }));
  const el = await show(model);
  const rows = () => el.querySelectorAll(".pw-panel tr").length;
  const all = rows();
  const search = get<HTMLInputElement>(el, ".pw-panel input[type=search]");
  search.value = "router";
  search.dispatchEvent(new Event("input", { bubbles: true }));
  await settle();
  expect(rows()).toBeLessThan(all);
  model.set("data", { ...gptOss(), model: "another" });
  await settle();
  expect(rows()).toBe(all);
  expect(get<HTMLInputElement>(el, ".pw-panel input[type=search]").value).toBe("");
});

it("is English from left to right, whatever the page is", async () => {
  const { dir, lang } = get(await show(createModel(state())), ".pw-root");
  expect([dir, lang]).toEqual(["ltr", "en"]);
});

describe("two views of one model", () => {
  it("follow each other and share no id", async () => {
    const model = createModel(state());
    const [a, b] = [await show(model), await show(model)];
    box(a, "embedding").click();
    await settle();
    expect(chosenTotal(b)).toBe("5,132,849,472");
    box(b, "embedding").click();
    await settle();
    expect(chosenTotal(a)).toBe("5,711,982,912");
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    expect(new Set(ids).size).toBe(ids.length);
    const names = (el: Element) => get<HTMLInputElement>(el, "input[type=radio]").name;
    expect(names(a)).not.toBe(names(b));
  });

  it("stop hearing the model when taken down", async () => {
    const model = createModel(state());
    const [on, off] = [vi.spyOn(model, "on"), vi.spyOn(model, "off")];
    const el = await show(model);
    stops.pop()?.();
    expect(el.childElementCount).toBe(0);
    for (const heard of on.mock.calls) expect(off.mock.calls).toContainEqual(heard);
  });
});

describe("what may be missing or wrong", () => {
  it("traits fall back to their defaults", async () => {
    const el = await show(createModel({ data: gptOss() }));
    expect(chosenTotal(el)).toBe("5,711,982,912");
    const odd = { data: gptOss(), basis: "everything", off: ["embeding", 3], on: "mtp", claim: 7 };
    expect(chosenTotal(await show(createModel(odd)))).toBe("5,711,982,912");
  });

  it.each([undefined, null, {}, [], "text", 3])("data %j is said plainly", async (data) => {
    const el = await show(createModel({ data }));
    expect(text(el, ".pw-message")).toContain("No model to show");
  });

  it("an unknown schema is named", async () => {
    const el = await show(createModel({ data: { schema: 99 } }));
    expect(text(el, ".pw-message")).toContain("schema 99");
  });

  it("data with nothing but a schema draws an empty view", async () => {
    const el = await show(createModel({ data: { schema: 1 } }));
    expect(text(el, ".pw-model")).toBe("unnamed model");
    expect(chosenTotal(el)).toBe("0");
  });

  it("an empty list of tensors and odd entries do not throw", async () => {
    const el = await show(createModel(state({ data: { ...gptOss(), tensors: [] } })));
    expect(chosenTotal(el)).toBe("0");
    const odd = {
      schema: 1,
      tensors: [null, 3, { shape: "x", copies: -1 }],
      roles: [null],
      claims: [{}],
      headline: 0,
    };
    expect(chosenTotal(await show(createModel({ data: odd })))).toBe("0");
  });

  it("markup in data is shown as text", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const data = gptOss();
    data.model = evil;
    const [first] = data.tensors;
    if (first) first.name = evil;
    const source = { quote: evil, url: "javascript:alert(1)" };
    Object.assign(data.claims[1] as object, source);
    const el = await show(createModel(state({ data })));
    get(el, ".pw-name").click();
    await settle();
    expect(el.querySelector("img")).toBe(null);
    expect(text(el, ".pw-model")).toBe(evil);
    expect(text(el, ".pw-tensor-name")).toBe(evil);
    expect(text(el, ".pw-source")).toContain(evil);
    expect(el.querySelector(".pw-source a")).toBe(null);
  });
});

describe("a host in trouble", () => {
  it("counts on when the kernel is gone and nothing can be saved", async () => {
    const model = createModel(state());
    model.save_changes = () => {
      throw new Error("comm is closed");
    };
    const el = await show(model);
    expect(chosenTotal(el)).toBe("5,711,982,912");
    get(el, "tbody[data-role=embedding] input").click();
    await settle();
    expect(chosenTotal(el)).toBe("5,132,849,472");
  });

  it("says so when a size cannot be counted, or the schema is no number", async () => {
    const data = gptOss();
    const [first] = data.tensors;
    if (first) first.shape = [2 ** 52, 2 ** 52];
    expect(text(await show(createModel(state({ data }))), "p")).toContain("more than 2^53 − 1");
    const odd = { ...gptOss(), schema: { toString: 1 } };
    expect(text(await show(createModel(state({ data: odd }))), "p")).toContain("of another kind");
  });
});

describe("a view that is out of sight", () => {
  it("is drawn after those that are seen, once for all that changed, and then says the same", async () => {
    const model = createModel(state());
    const seen = await show(model);
    const unseen = await show(model);
    for (const [el, visible] of [
      [seen, true],
      [unseen, false],
    ] as const)
      Object.assign(get(el, ".pw-root > div"), { checkVisibility: () => visible });
    const exact = () => [chosenTotal(seen), chosenTotal(unseen)];
    model.set("off", ["embedding"]);
    await Promise.resolve();
    expect(exact()).toEqual(["5,132,849,472", "5,711,982,912"]);
    model.set("off", ["embedding", "lm_head"]);
    await Promise.resolve();
    expect(exact()).toEqual(["4,553,716,032", "5,711,982,912"]);
    await settle();
    expect(exact()).toEqual(["4,553,716,032", "4,553,716,032"]);
  });
});

describe("models unlike gpt-oss", () => {
  it("a tied head says why its box changes 0", async () => {
    const el = await show(createModel(state({ data: qwenTied() })));
    expect(text(el, "tbody[data-role=embedding] .pw-why")).toBe(
      "leaving it out alone changes 0: same matrix as lm_head.weight, counted once",
    );
    expect(text(el, "tbody[data-role=lm_head] .pw-why")).toBe(
      "same matrix as model.embed_tokens.weight, counted once",
    );
  });

  it("a part that the basis leaves out can be counted", async () => {
    const model = createModel(state({ data: deepseekV3(), basis: "active" }));
    const el = await show(model);
    expect(box(el, "mtp").checked).toBe(false);
    box(el, "mtp").click();
    await settle();
    expect(model.get("on")).toEqual(["mtp"]);
    expect(text(el, ".pw-departs")).toContain("MTP in");
  });
});

it("a number that fits only when digits are cut off says so", async () => {
  const data = gptOss();
  data.claims[1] = claim({ source: "a card", text: "5.132B active" });
  const el = await show(createModel(state({ data })));
  expect(text(el, ".pw-verdict")).toContain("which is 5.132B with digits cut off, not rounded");
});

it("where routing decides how many experts run, the least is shown beside the most", async () => {
  const data = gptOss();
  for (const t of data.tensors) if (t.role === "routed_expert") Object.assign(t, { active_low: 36 });
  const el = await show(createModel(state({ data })));
  // One expert a layer instead of four: 3 × 36 × 24,891,840 fewer.
  expect(text(el, ".pw-basis")).toContain("at least 3,023,664,192");
});

describe("the theme", () => {
  beforeEach(() => document.body.removeAttribute("data-jp-theme-light"));

  it("is the host's, and follows it", async () => {
    document.body.setAttribute("data-jp-theme-light", "false");
    const el = await show(createModel(state()));
    expect(get(el, ".pw-root").dataset.pwTheme).toBe("dark");
    document.body.setAttribute("data-jp-theme-light", "true");
    await settle();
    expect(get(el, ".pw-root").dataset.pwTheme).toBe("light");
  });

  it("is found from inside a shadow root, where the view works as well", async () => {
    document.body.setAttribute("data-jp-theme-light", "false");
    const host = document.body.appendChild(document.createElement("div"));
    const el = document.createElement("div");
    host.attachShadow({ mode: "open" }).appendChild(el);
    const model = createModel(state());
    stops.push(widget.render({ model, el }));
    await drawn(el);
    expect(get(el, ".pw-root").dataset.pwTheme).toBe("dark");
    box(el, "embedding").click();
    await settle();
    expect(chosenTotal(el)).toBe("5,132,849,472");
  });
});

describe("what layers keep and do", () => {
  /** A view of what Python sends of a model's layers and weights. */
  const kept = (model: keyof typeof golden, view: string) => {
    const { layers, memory } = golden[model] as { layers: object; memory: object };
    return show(createModel(state({ data: { ...gptOss(), tensors: [], layers, memory }, view })));
  };
  const labels = (el: Element) => [...el.querySelectorAll(".pw-field span")].map((e) => e.textContent);

  it("a model that keeps nothing says so, and has no control that changes nothing", async () => {
    const el = await kept("thenlper/gte-small", "memory");
    expect(text(el, ".pw-panel")).toContain("This model keeps nothing of a context");
    expect(text(el, ".pw-panel")).not.toContain("cache");
    expect(labels(el)).toEqual(["Weights"]);
  });

  it("the context starts at the positions of the config, and more than those is said", async () => {
    const el = await kept("openai/whisper-tiny", "memory");
    expect(labels(el)).toEqual(["Context, tokens", "Batch, sequences", "Weights", "Cache"]);
    const context = get<HTMLInputElement>(el, ".pw-count");
    expect(context.value).toBe("448");
    expect(text(el, "[role=status].pw-soft")).toBe("");
    context.value = "1Ki";
    context.dispatchEvent(new Event("change"));
    await settle();
    expect(context.value).toBe("1024");
    expect(text(el, "[role=status].pw-soft")).toBe(
      "1,024 tokens: more than the 448 positions of the config.",
    );
  });

  it("a token of the context adds nothing to what is kept of an encoder", async () => {
    const el = await kept("openai/whisper-tiny", "memory");
    const row = [...el.querySelectorAll("tr")].find((r) => r.textContent?.includes("cross-attention"));
    expect(row?.querySelector("th")?.textContent).toBe("4 × cross-attention to 1,500 tokens of 6,144 bytes");
    expect(row?.querySelector("td")?.textContent).toBe("0");
  });

  it("what a token reads of tables is one row, and the sentence has its own integers", async () => {
    const el = await kept("google/gemma-4-E2B-it", "memory");
    const exact = [...el.querySelectorAll(".pw-panel p .pw-num")].map((e) => e.getAttribute("data-exact"));
    expect(exact).toEqual(["2,279,768,099", "4,628,569,379", "8,960", "4,558,946,304", "2,279,473,152"]);
  });
});

describe("the letters of layers", () => {
  const kinds = (model: keyof typeof golden) => {
    const { layers } = golden[model] as { layers: { layers: string }[] };
    const data = gptOss();
    const norm = data.tensors.find((t) => t.name.endsWith("input_layernorm.weight"));
    const tensors = layers.map((run, i) => ({ ...norm, name: `${i}.{layer}.weight`, layers: run.layers }));
    return show(createModel(state({ data: { ...data, tensors, layers }, view: "layers" })));
  };
  const keyOf = (el: Element) =>
    [...el.querySelectorAll(".pw-stack tbody th")].map((th) =>
      [...th.querySelectorAll(":scope > .pw-mixer")].map((e) => [
        e.textContent,
        e.nextSibling?.nextSibling?.textContent,
      ]),
    );

  it("cross-attention is named beside or in place of a layer's own", async () => {
    expect(keyOf(await kinds("openai/whisper-tiny"))).toEqual([
      [
        ["F", "full attention"],
        ["X", "cross-attention to 1,500 tokens"],
        ["D", "dense"],
      ],
    ]);
    expect(keyOf(await kinds("meta-llama/Llama-3.2-90B-Vision"))[1]).toEqual([
      ["X", "cross-attention to 6,404 tokens"],
      ["D", "dense"],
    ]);
    expect(keyOf(await kinds("MBZUAI/LaMini-Flan-T5-783M"))[0]?.[1]).toEqual(["X", "cross-attention"]);
  });

  it("layers that read an earlier cache have letters of their own", async () => {
    const el = await kinds("google/gemma-4-E2B-it");
    expect(keyOf(el).map((row) => row.map(([letter]) => letter).join(""))).toEqual([
      "SD",
      "FD",
      "S′D",
      "F′D",
    ]);
    expect(keyOf(el)[2]?.[0]?.[1]).toBe("sliding window of 512, reads an earlier layer's cache");
    const strip = [...el.querySelectorAll(".pw-strip .pw-layer")].map((e) => e.textContent);
    expect(strip.slice(13, 16)).toEqual(["SD", "FD", "S′D"]);
  });

  it("every kind of layer has a letter", async () => {
    for (const model of [
      "deepseek-ai/DeepSeek-V4-Flash",
      "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    ] as const)
      for (const row of keyOf(await kinds(model))) expect(row.length).toBeGreaterThan(0);
  });
});
