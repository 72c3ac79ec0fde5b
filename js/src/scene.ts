/** What every view is given: the model's parts, what is counted now, and what the reader can do. */
import type { Basis, Claim, Convention, Wire } from "./wire";

export interface Scene {
  /** prefix of element ids, different in every view on a page */
  id: string;
  wire: Wire;
  now: Convention;
  total: number;
  claim: Claim | null;
  /** role that the pointer or the focus is on */
  hot: string;
  apply(convention: Convention): void;
  setBasis(basis: Basis): void;
  flip(key: string): void;
  choose(claim: Claim): void;
  point(role: string): void;
  /** roles whose tensors are shown */
  open: ReadonlySet<string>;
  setOpen(roles: ReadonlySet<string>): void;
  /** role that a click on the picture asked for; a new object for each click */
  sought: { role: string };
  seek(role: string): void;
}

export interface ViewProps {
  scene: Scene;
}
