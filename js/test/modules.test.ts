/** The two modules as they are built: the first lends the second everything by the name it is asked for. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import * as core from "../src/core";
import * as source from "../src/more";

it("the second module asks for nothing that the first does not lend, and gives what is expected of it", async () => {
  const folder = resolve(import.meta.dirname, "../../paramwidget/static");
  const asked = new Set<string>();
  const lent = new Proxy(core, {
    get: (target, name) => {
      asked.add(String(name));
      return Reflect.get(target, name);
    },
  });
  const text = readFileSync(resolve(folder, "more.js"), "utf8");
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const made = (await import(/* @vite-ignore */ url)).default(lent);
  expect(Object.keys(made).sort()).toEqual(Object.keys(source).sort());
  expect([...asked].sort()).toEqual(Object.keys(core).sort());
  const first = readFileSync(resolve(folder, "widget.js"), "utf8");
  expect([...asked].filter((name) => !first.includes(`${name}:()=>`))).toEqual([]);
});
