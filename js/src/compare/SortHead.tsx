/** The head of a column that sorts the models when it is pressed. */
import { type Child, h } from "../dom";
import { nextSort } from "./rows";
import type { View } from "./view";

interface Props {
  view: View;
  name: string;
  label: string;
  class?: string;
  children?: Child;
}

export function SortHead({ view: { sort, setSort }, name, label, class: more = "", children }: Props): Child {
  const up = sort === name;
  const down = sort === `-${name}`;
  const order = up ? "ascending" : down ? "descending" : "none";
  return (
    <th scope="col" class={more} aria-sort={order}>
      <button class="pw-sort" title={`sort by ${label}`} onclick={() => setSort(nextSort(sort, name))}>
        {children}
        {label}
        <span class="pw-order" aria-hidden="true">
          {up ? "▲" : down ? "▼" : ""}
        </span>
      </button>
    </th>
  );
}
