/**
 * The sentences of the views, twin of words.py: they come with the data, so that each is written once for both
 * languages. The table is the same for all views of a page, and what old data lacks is said by its key.
 */
import type { Child } from "./dom";

const words = new Map<string, string>();

export function learn(given: unknown): void {
  for (const [key, text] of Object.entries(given ?? {})) if (typeof text === "string") words.set(key, text);
}

/** A sentence with its slots filled, in pieces: what is in a slot may be an element. */
export const tell = (key: string, ...slots: Child[]): Child[] =>
  (words.get(key) ?? [key.replaceAll("_", " "), ...slots.map((_, i) => `{${i}}`)].join(" "))
    .split(/\{(\d)\}/)
    .map((piece, i) => (i % 2 ? slots[Number(piece)] : piece));

export const say = (key: string, ...slots: (string | number)[]): string => tell(key, ...slots).join("");
