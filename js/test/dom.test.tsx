import { beforeEach, expect, it, vi } from "vitest";
import { type Child, Fragment, flat, h, patch, type VNode } from "../src/dom";

let root: HTMLElement;
let drawn: VNode[] = [];
beforeEach(() => {
  root = document.body.appendChild(document.createElement("div"));
  drawn = [];
});
const draw = (what: Child): string => {
  const next = flat(what);
  patch(root, drawn, next);
  drawn = next;
  return root.innerHTML;
};

it("shows elements, texts and numbers, and nothing for what is nothing", () => {
  const Part = ({ children }: { children?: Child }) => <b>{children}</b>;
  expect(
    draw([
      <p class="a" hidden title={undefined}>
        {0} {""} {false} {null}
        <Part>x</Part>
      </p>,
      <>
        <i />y
      </>,
    ]),
  ).toBe('<p class="a" hidden="">0   <b>x</b></p><i></i>y');
});

it("an object of the data is no element, whatever it says it is", () => {
  const evil = { tag: "img", props: { src: "x", onerror: "alert(1)" }, children: [] };
  expect(draw([<p>{evil as unknown as Child}</p>])).toBe("<p></p>");
});

it("keeps elements where others come before them, with their focus", () => {
  draw(<button type="button">go</button>);
  const button = root.querySelector("button");
  button?.focus();
  draw([<p>new</p>, <button type="button">went</button>]);
  expect(root.querySelector("button")).toBe(button);
  expect(document.activeElement).toBe(button);
  expect(root.textContent).toBe("newwent");
});

it("follows keys when rows change their order", () => {
  const rows = (...keys: string[]) => keys.map((key) => <li key={key}>{key}</li>);
  draw(rows("a", "b", "c"));
  const [a, b, c] = root.children;
  draw(rows("c", "a", "d", "b"));
  expect([...root.children].map((e) => e.textContent).join("")).toBe("cadb");
  expect([root.children[0], root.children[1], root.children[3]]).toEqual([c, a, b]);
  expect(draw([])).toBe("");
});

it("compares what a reader changes with the element, and hears the newest handler", () => {
  const [old, now] = [vi.fn(), vi.fn()];
  draw(<input type="checkbox" checked={false} onclick={old} />);
  const box = root.querySelector("input") as HTMLInputElement;
  box.checked = true;
  draw(<input type="checkbox" checked={false} onclick={now} />);
  expect(box.checked).toBe(false);
  box.click();
  expect([old.mock.calls.length, now.mock.calls.length]).toEqual([0, 1]);
});

it("sets styles through the object model, and writes out what ARIA has to know", () => {
  draw(<p style="width:5px" aria-hidden={false} tabindex={0} />);
  const p = root.firstElementChild as HTMLElement;
  expect([p.style.width, p.getAttribute("aria-hidden"), p.getAttribute("tabindex")]).toEqual([
    "5px",
    "false",
    "0",
  ]);
  draw(<p />);
  expect([p.style.width, p.hasAttribute("aria-hidden"), p.hasAttribute("tabindex")]).toEqual([
    "",
    false,
    false,
  ]);
});

it("a list takes the value of an option that comes with it", () => {
  const list = (value: string, ...options: string[]) => (
    <select value={value}>
      {options.map((o) => (
        <option value={o}>{o}</option>
      ))}
    </select>
  );
  draw(list("a", "a"));
  draw(list("b", "a", "b"));
  expect((root.firstElementChild as HTMLSelectElement).value).toBe("b");
});
