import { afterEach, expect, it, vi } from "vitest";
import { createModel } from "../src/host";
import widget from "../src/index";
import { gptOss, qwenTied } from "./fixtures";
import { drawn, settle } from "./page";

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** A view with a kernel whose part the test speaks. */
async function show(data: unknown, view = "check") {
  const heard: ((message: unknown) => void)[] = [];
  const sent: unknown[] = [];
  const own = createModel({ data, view });
  const model = {
    ...own,
    send: (message: unknown) => sent.push(message),
    on(event: string, handler: (...args: unknown[]) => void) {
      if (event === "msg:custom") heard.push(handler);
      own.on(event, handler);
    },
  };
  const el = document.body.appendChild(document.createElement("div"));
  stop = widget.render({ model, el });
  await drawn(el);
  const say = async (message: unknown) => {
    for (const handler of heard) handler(message);
    await settle();
  };
  const button = (text: string) =>
    [...el.querySelectorAll("button")].find((b) => b.textContent?.includes(text)) as HTMLButtonElement;
  return { el, model: own, sent, say, button };
}

it("asks at first whether there is a kernel, and until it answers nothing is offered", async () => {
  const { sent, say, button, el } = await show(gptOss());
  expect(sent).toEqual([{ do: "here" }]);
  expect(button("Compare").disabled).toBe(true);
  expect(el.textContent).toContain("Reading files needs Python");
  await say({ kind: "here" });
  expect(button("Compare").disabled).toBe(false);
  expect(el.textContent).not.toContain("needs Python");
});

it("shows the progress of a check, its error in place, and its result", async () => {
  const { el, model, sent, say, button } = await show(gptOss());
  await say({ kind: "here" });
  button("Compare").click();
  await settle();
  expect(sent.at(-1)).toEqual({ do: "check" });
  await say({ kind: "progress", do: "check", done: 3, total: 15, text: "headers" });
  const bar = el.querySelector("progress") as HTMLProgressElement;
  expect([bar.getAttribute("value"), bar.getAttribute("max")]).toEqual(["3", "15"]);
  await say({ kind: "error", do: "check", text: "openai/gpt-oss-120b: no access." });
  expect(el.querySelector(".pw-bad")?.textContent).toBe("openai/gpt-oss-120b: no access.");
  const rows = [
    { name: "all tensors", predicted: 7, found: 7, cause: "as the config says" },
    { name: "lm_head.weight", predicted: 0, found: 5, cause: "tied matrix stored again" },
  ];
  const check = {
    predicted: 7,
    found_parameters: 12,
    found_scales: 0,
    hub_total: null,
    unexplained: 0,
    rows,
  };
  model.set("data", { ...gptOss(), check });
  await settle();
  expect(el.textContent).toContain("Every difference is explained");
  expect(el.textContent).toContain("Hub: the total it reportsnot known");
  const names = [...el.querySelectorAll(".pw-panel code")].map((e) => e.textContent);
  expect(names).toEqual(["all tensors", "lm_head.weight"]);
  expect(el.querySelector("[role=tab][id$=check]")?.textContent).toBe("check explained");
});

it("says when no kernel answers", async () => {
  const { el, say, button } = await show(gptOss());
  await say({ kind: "here" });
  vi.useFakeTimers();
  button("Compare").click();
  await vi.advanceTimersByTimeAsync(5000);
  expect(el.textContent).toContain("Python does not answer");
});

it("what comes late, with no message before it, takes back that no kernel answers", async () => {
  const { el, model, say, button } = await show(gptOss());
  await say({ kind: "here" });
  vi.useFakeTimers();
  button("Compare").click();
  await vi.advanceTimersByTimeAsync(5000);
  expect(el.textContent).toContain("Python does not answer");
  model.set("data", { ...gptOss(), facts: [] });
  await vi.advanceTimersByTimeAsync(5000);
  expect(el.textContent).not.toContain("Python does not answer");
  expect(button("Compare").disabled).toBe(false);
});

it("a model that is refused is no error of the check, and a picker that is opened does not end one", async () => {
  const { el, say, button } = await show(gptOss());
  await say({ kind: "here" });
  button("Compare").click();
  await say({ kind: "progress", do: "check", done: 3, total: 15, text: "headers" });
  button("change model").click();
  await settle();
  const panel = () => el.querySelector(".pw-panel .pw-status")?.textContent;
  expect(panel()).toBe("headers … ");
  expect(button("Compare").disabled).toBe(true);
  await say({ kind: "catalog", models: [["no/such", 1, 1, ""]] });
  el.querySelector<HTMLElement>("[role=option]")?.click();
  await say({ kind: "error", do: "open", text: "no/such is not there" });
  expect(el.querySelector(".pw-picker .pw-bad")?.textContent).toBe("no/such is not there");
  expect(panel()).toBe("headers … ");
  await say({ kind: "error", do: "check", text: "no access" });
  expect(panel()).toBe("no access");
  expect(el.querySelector(".pw-picker .pw-bad")?.textContent).toBe("no/such is not there");
});

it.each([5, "x", [null], [[5, 1, 1, "x"]], [[]], { a: 1 }])(
  "a list of models that is %j has none",
  async (models) => {
    const { el, say, button } = await show(gptOss());
    await say({ kind: "here" });
    button("change model").click();
    await say({ kind: "catalog", models });
    expect(el.querySelectorAll("[role=option]").length).toBe(0);
    expect(el.querySelector("[role=combobox]")).not.toBe(null);
  },
);

it("another model is picked in place; what is open of the old one is closed", async () => {
  const { el, model, sent, say, button } = await show(gptOss(), "bridge");
  await say({ kind: "here" });
  button("change model").click();
  await settle();
  expect(sent.at(-1)).toEqual({ do: "catalog" });
  await say({ kind: "catalog", models: [["Qwen/Qwen2.5-0.5B", 494032768, 494032768, "24 layers"]] });
  const option = el.querySelector<HTMLElement>("[role=option]");
  expect(option?.textContent).toBe("Qwen/Qwen2.5-0.5B24 layers0.49B");
  const box = el.querySelector<HTMLInputElement>("[role=combobox]");
  expect(el.ownerDocument.activeElement).toBe(box);
  option?.click();
  await settle();
  expect(sent.at(-1)).toEqual({ do: "open", source: "Qwen/Qwen2.5-0.5B" });
  model.set("data", qwenTied());
  await settle();
  expect(el.querySelector(".pw-model")?.textContent).toBe("Qwen/Qwen2.5-0.5B");
  expect(el.querySelector("[role=combobox]")).toBe(null);
  expect(el.ownerDocument.activeElement).toBe(button("change model"));
});
