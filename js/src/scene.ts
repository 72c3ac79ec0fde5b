/** What every view is given: the model's parts, what is counted now, and what the reader can do. */
import type { Kernel } from "./kernel";
import { canonical } from "./sum";
import type { Choice } from "./traits";
import type { Claim, Convention, Wire } from "./wire";

/** What is open, typed or sorted: kept in the browser, one set a view. */
export interface Ui {
  /** roles whose tensors are shown */
  open: ReadonlySet<string>;
  /** whether it is said where the counts come from */
  about: boolean;
  /** whether another model is being picked, what was typed for it, and the option that arrows are on */
  picking: boolean;
  sought: string;
  option: number;
  /** what was just copied, and what could not be and is shown instead */
  copied: string;
  refused: string;
  /** why the typed claim cannot be read, and why a picture is not saved */
  unread: string;
  unsaved: string;
  /** where the bridge starts: index of a claim or key of a preset; empty for the chosen claim */
  from: string;
  /** the table: what is searched, and the column it is sorted by */
  query: string;
  sort: string;
  /** role that the parts are zoomed into */
  zoom: string;
  /** the memory view's controls; a context of 0 is the model's own (contextOf) */
  context: number;
  batch: number;
  weights: string;
  cache: string;
  /** which of its numbers was given a text that is none: the figures stay as they were */
  wrong: string;
}

export const START: Ui = {
  open: new Set(),
  about: false,
  picking: false,
  sought: "",
  option: -1,
  copied: "",
  refused: "",
  unread: "",
  unsaved: "",
  from: "",
  query: "",
  sort: "",
  zoom: "",
  context: 0,
  batch: 1,
  weights: "",
  cache: "bfloat16",
  wrong: "",
};

export interface Scene {
  /** prefix of element ids, different in every view on a page */
  id: string;
  wire: Wire;
  now: Convention;
  total: number;
  /** the printed or typed numbers that are looked at, and the first of them */
  claims: readonly Claim[];
  claim: Claim | null;
  choice: Choice;
  /** Python, asked for another model, and for a check */
  kernel: Kernel;
  checker: Kernel;
  ui: Ui;
  set(ui: Partial<Ui>): void;
  choose(choice: Partial<Choice>): void;
  flip(toggle: string): void;
  copy(text: string): void;
  /** the element that all of it is drawn in, for colours as the style sheet has them */
  root: HTMLElement;
}

export interface ViewProps {
  scene: Scene;
}

export const apply = (scene: Scene, { basis, off, on }: Convention): void =>
  scene.choose({ basis, off: canonical(off), on: canonical(on) });
