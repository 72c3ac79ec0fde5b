/** A view whose second module is not there yet, or cannot be had. That it is brought for real is tested in browsers. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createModel, type Model } from "../src/host";
import { gptOss } from "./fixtures";
import { drawn } from "./page";

beforeEach(() => vi.resetModules());
afterEach(() => document.body.replaceChildren());

async function show(more: Partial<Model>, state: Record<string, unknown> = {}): Promise<HTMLElement> {
  const { default: widget } = await import("../src/index");
  const model = {
    ...createModel({
      data: gptOss(),
      basis: "active",
      off: [],
      on: [],
      claim: null,
      more: "IPY_MODEL_f00",
      ...state,
    }),
    ...more,
  };
  const el = document.body.appendChild(document.createElement("div"));
  widget.render({ model, el });
  await drawn(el);
  return el;
}

const pending = { widget_manager: { get_model: () => new Promise<never>(() => {}) } };
const none = { widget_manager: { get_model: () => Promise.reject(Error("no such model")) } };

it("the first screen is whole without it", async () => {
  const el = await show(pending);
  expect(el.querySelector(".pw-sentence")?.textContent).toBe(
    "116.83B stored, 5.71B active (model card: 5.13B, one table out)",
  );
  expect(el.querySelector(".pw-verdict b")?.textContent).toBe("≈ 5.13B active: ambiguous");
});

it.each(["memory", "check", "layers"])("%s says that it is loading", async (view) => {
  const el = await show(pending, { view });
  expect(el.querySelector("[role=tabpanel]")?.textContent).toBe("Loading this view");
});

it("where the notebook does not have it and no kernel answers, the view says what to do", async () => {
  const el = await show(none, { view: "memory" });
  await vi.waitFor(() =>
    expect(el.querySelector("[role=tabpanel]")?.textContent).toContain("run the cell again"),
  );
  const form = el.querySelector("form") as HTMLFormElement;
  (form.querySelector("input") as HTMLInputElement).value = "5.1B active";
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await vi.waitFor(() =>
    expect(el.querySelector(".pw-verdict")?.textContent).toContain("run the cell again"),
  );
});

it("where the host looks for it for long, the kernel is asked too, and whoever is first has it", async () => {
  const sent: unknown[] = [];
  const own = createModel({});
  const on = vi.fn(own.on);
  const off = vi.fn(own.off);
  const el = await show({ ...pending, send: (message) => sent.push(message), on, off }, { view: "memory" });
  expect(sent).not.toContainEqual({ do: "more" });
  await vi.waitFor(() => expect(sent).toContainEqual({ do: "more" }), { timeout: 2000 });
  // Nothing is missing as long as somebody may have it.
  expect(el.querySelector("[role=tabpanel]")?.textContent).toBe("Loading this view");
  await vi.waitFor(
    () => expect(el.querySelector("[role=tabpanel]")?.textContent).toContain("run the cell again"),
    { timeout: 6000 },
  );
});

it("a view that is closed hears no answer any more, also where its kernel could not be asked", async () => {
  const model = createModel({ data: gptOss(), more: "IPY_MODEL_f00" });
  const on = vi.spyOn(model, "on");
  const off = vi.spyOn(model, "off");
  const { default: widget } = await import("../src/index");
  const el = document.body.appendChild(document.createElement("div"));
  const send = vi.fn(() => {
    throw Error("no comm");
  });
  const stop = widget.render({ model: { ...model, ...none, send }, el });
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ do: "more" }));
  stop();
  const heard = on.mock.calls.filter(([event]) => event === "msg:custom");
  expect(heard.length).toBe(3);
  for (const call of heard) expect(off.mock.calls).toContainEqual(call);
});

it.each([undefined, null, 7, "IPY_MODEL_f00"])(
  "with %s for the model that has it, the kernel is asked",
  async (more) => {
    const sent: unknown[] = [];
    await show({ send: (message) => sent.push(message) }, { more });
    await vi.waitFor(() => expect(sent).toContainEqual({ do: "more" }));
  },
);
