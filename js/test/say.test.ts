/** The sentences that come with the data. */
import { describe, expect, it } from "vitest";
import { learn, say, tell } from "../src/say";
import { readWire } from "../src/wire";

describe("a sentence", () => {
  it("has its slots filled, in their own order", () => {
    learn({ swap: "{1} before {0}, then {1}" });
    expect(say("swap", "a", 7)).toBe("7 before a, then 7");
    expect(tell("swap", "a", 7)).toEqual(["", 7, " before ", "a", ", then ", 7, ""]);
  });

  it("that old data lacks is its key, and what would be in its slots", () => {
    expect(say("no_such_sentence")).toBe("no such sentence");
    expect(say("no_such_sentence", "5.1B", 2)).toBe("no such sentence 5.1B 2");
  });

  it("does not take what is in a slot for a slot", () => {
    learn({ quote: "said: {0}, {1}" });
    expect(say("quote", "{1}", "b")).toBe("said: {1}, b");
  });

  it.each([[null], [{ odd: 3, list: ["x"] }], [[1]]])("is not learned from %j", (words) => {
    expect(readWire({ schema: 1, words })).toMatchObject({ model: "unnamed model" });
    expect([say("odd"), say("list")]).toEqual(["odd", "list"]);
  });
});
