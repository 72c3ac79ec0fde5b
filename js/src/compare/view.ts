/** What every part of the comparison is given. */
import type { Convention } from "../wire";
import type { Row } from "./rows";
import type { CompareWire } from "./wire";

export interface View {
  id: string;
  wire: CompareWire;
  now: Convention;
  /** in the order that is shown */
  rows: Row[];
  sort: string;
  setSort(sort: string): void;
}

// More than these do not stand side by side: each is then a row.
export const SIDE_BY_SIDE = 4;
