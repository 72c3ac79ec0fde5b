/** The traits shared with Python: what the reader chose, kept here so that a click never waits for the kernel. */
import { useLayoutEffect, useMemo, useReducer } from "preact/hooks";
import type { Model } from "./host";
import { canonical } from "./sum";
import { type Basis, type Convention, readBasis } from "./wire";

export interface Choice {
  basis: Basis;
  off: readonly string[];
  on: readonly string[];
  claim: string | null;
}

type Name = keyof Choice;

const NAMES: Name[] = ["basis", "off", "on", "claim"];

// How long a kernel may take to repeat a value that a later click has already replaced.
const ECHO_MS = 2000;

const keys = (v: unknown): string[] =>
  Array.isArray(v) ? canonical(v.filter((x) => typeof x === "string")) : [];

/** What the model holds, with a default for what is missing or unreadable. */
const readChoice = (model: Model): Choice => {
  const claim = model.get("claim");
  return {
    basis: readBasis(model.get("basis")),
    off: keys(model.get("off")),
    on: keys(model.get("on")),
    claim: typeof claim === "string" ? claim : null,
  };
};

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
      for (const name of names) this.model.set(name, this.choice[name]);
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
    const data = () => this.changed();
    this.model.on("change:data", data);
    // What changed between the first read and now would otherwise be missed.
    this.takeAll();
    return () => {
      clearTimeout(this.again);
      for (const stop of stops) stop();
      this.model.off("change:data", data);
    };
  }
}

export function useTraits(model: Model): Traits {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const traits = useMemo(() => new Traits(model, () => redraw(undefined)), [model]);
  // Before paint and at once on removal: a view that is gone must not hear the model any more.
  useLayoutEffect(() => traits.follow(), [traits]);
  return traits;
}

export const conventionOf = ({ basis, off, on }: Choice): Convention => ({ basis, off, on });
