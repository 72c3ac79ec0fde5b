/** The traits shared with Python: what the reader chose, kept here so that a click never waits for the kernel. */
import type { Model } from "./host";
import { canonical } from "./sum";
import { type Basis, type Convention, readBasis } from "./wire";

export interface Choice {
  basis: Basis;
  off: readonly string[];
  on: readonly string[];
  /** text of a claim, a bundled one's or what a reader typed */
  claim: string | null;
  /** key of the view that is open */
  view: string;
  /** a role or the name of a tensor */
  selected: string | null;
}

type Name = keyof Choice;

const NAMES: Name[] = ["basis", "off", "on", "claim", "view", "selected"];

// How long a kernel may take to repeat a value that a later click has already replaced.
const ECHO_MS = 2000;

const keys = (v: unknown): string[] =>
  Array.isArray(v) ? canonical(v.filter((x) => typeof x === "string")) : [];
// None is the empty text on the way: a box of text that is linked to a trait cannot hold null.
const text = (v: unknown): string | null => (typeof v === "string" && v ? v : null);

/** What the model holds, with a default for what is missing or unreadable. */
const readChoice = (model: Model): Choice => ({
  basis: readBasis(model.get("basis")),
  off: keys(model.get("off")),
  on: keys(model.get("on")),
  claim: text(model.get("claim")),
  view: text(model.get("view")) ?? "",
  selected: text(model.get("selected")),
});

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Holds one view's choice. Values set elsewhere are taken over. One that equals an own older value may be its late
 * echo, so it is looked at again when no echo can be under way any more.
 */
export class Traits {
  private choice: Choice;
  private sent: { name: Name; value: unknown; until: number }[] = [];
  private again?: ReturnType<typeof setTimeout>;

  constructor(
    private readonly model: Model,
    private readonly changed: () => void,
  ) {
    this.choice = readChoice(model);
  }

  get now(): Choice {
    return this.choice;
  }

  /** A choice of the reader: shown at once, then told to the model with one save. */
  choose(next: Partial<Choice>): void {
    const old = this.choice;
    const names = NAMES.filter((name) => name in next && !same(next[name], old[name]));
    if (names.length === 0) return;
    this.choice = { ...old, ...next };
    const until = Date.now() + ECHO_MS;
    this.sent = this.sent.filter((s) => s.until > Date.now());
    for (const name of names) this.sent.push({ name, value: this.choice[name], until });
    this.changed();
    // A kernel that is gone must not keep the reader from counting: the sums are made here.
    try {
      for (const name of names) this.model.set(name, this.choice[name] ?? "");
      this.model.save_changes();
    } catch (error) {
      console.warn("paramwidget: the choice could not be told to the kernel.", error);
    }
  }

  private take(name: Name): void {
    const value = readChoice(this.model)[name];
    if (same(value, this.choice[name])) return;
    const own = this.sent.find((s) => s.name === name && s.until > Date.now() && same(s.value, value));
    if (own) {
      clearTimeout(this.again);
      this.again = setTimeout(() => this.takeAll(), own.until - Date.now());
      return;
    }
    this.sent = this.sent.filter((s) => s.name !== name);
    this.choice = { ...this.choice, [name]: value };
    this.changed();
  }

  private takeAll(): void {
    for (const name of NAMES) this.take(name);
  }

  /** Starts to follow the model; returns how to stop. */
  follow(): () => void {
    const stops = NAMES.map((name) => {
      const handler = () => this.take(name);
      this.model.on(`change:${name}`, handler);
      return () => this.model.off(`change:${name}`, handler);
    });
    return () => {
      clearTimeout(this.again);
      for (const stop of stops) stop();
    };
  }
}

export const conventionOf = ({ basis, off, on }: Choice): Convention => ({ basis, off, on });
