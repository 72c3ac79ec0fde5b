/** Every tensor in a tree: searched by name, role, kind or formula, sorted by a column. */
import { type Child, h } from "../dom";
import { integer, percent } from "../format";
import type { Scene, ViewProps } from "../scene";
import { counted, out } from "../sum";
import type { Basis, Tensor } from "../wire";
import { NameButton, tensorCount } from "./Ledger";
import { Tensors } from "./Tensors";

const has = (query: string) => {
  const words = query.toLowerCase().split(/\s+/);
  return ({ name, role, kind, symbols, dtype }: Tensor): boolean => {
    const text = [name, role, kind, symbols, dtype].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
};

/** The bases that have a column: the reader's own in place of the stored one, where it is the architectural. */
export const columns = ({ now }: Scene): Basis[] => [
  now.basis === "architectural" ? "architectural" : "stored",
  "active",
];

export function Table({ scene }: ViewProps): Child {
  const { wire, now, ui, set } = scene;
  const bases = columns(scene);
  const keys = new Map(bases.map((basis) => [basis, out(wire, { ...now, basis })]));
  const count = (tensors: readonly Tensor[], basis: Basis) =>
    tensors.reduce((n, t) => n + counted(t, basis, keys.get(basis) ?? new Set()), 0);
  const order = <T,>(rows: T[], name: (row: T) => string, tensors: (row: T) => Tensor[]): T[] =>
    !ui.sort
      ? rows
      : rows.sort((a, b) =>
          ui.sort === "name"
            ? name(a).localeCompare(name(b), "en")
            : count(tensors(b), ui.sort as Basis) - count(tensors(a), ui.sort as Basis),
        );
  const hits = wire.tensors.filter(has(ui.query));
  const roles = wire.roles
    .map((role) => ({ ...role, tensors: hits.filter((t) => t.role === role.key) }))
    .filter(({ tensors }) => tensors.length > 0);
  const share = now.basis;
  const head = (key: string, text: string, name = "pw-col-count") => (
    <th
      scope="col"
      class={name}
      aria-sort={ui.sort === key ? (key === "name" ? "ascending" : "descending") : undefined}
    >
      <button
        type="button"
        class="pw-link pw-small"
        onclick={() => set({ sort: ui.sort === key ? "" : key })}
      >
        {text}
        <span class="pw-arrow" aria-hidden="true">
          {ui.sort === key && (key === "name" ? " ▲" : " ▼")}
        </span>
      </button>
    </th>
  );
  return (
    <div>
      <div class="pw-controls">
        <label class="pw-field">
          <span class="pw-soft">Search</span>
          <input
            class="pw-input"
            type="search"
            value={ui.query}
            placeholder="name, role, kind or formula"
            oninput={({ currentTarget }) => set({ query: (currentTarget as HTMLInputElement).value })}
          />
        </label>
        <span role="status" class="pw-soft">
          {hits.length} of {tensorCount(wire.tensors.length)}
        </span>
      </div>
      <table class="pw-ledger pw-tree">
        <caption class="pw-hidden">Tensors of {wire.model}, by part</caption>
        <thead>
          <tr>
            {head("name", "tensor", "")}
            <th scope="col" class="pw-col-copies">
              copies
            </th>
            {bases.map((basis) => head(basis, basis))}
            <th scope="col" class="pw-col-share">
              share
            </th>
          </tr>
        </thead>
        {order(
          roles,
          ({ label }) => label,
          ({ tensors }) => tensors,
        ).map(({ key, label, tensors }) => {
          const flip = `table ${key}`;
          const shown = !ui.open.has(flip);
          return (
            <tbody key={key} data-role={key}>
              <tr>
                <th scope="row">
                  <NameButton scene={scene} role={key} label={label} shown={shown} flip={flip} />
                </th>
                <td class="pw-col-copies">{tensorCount(tensors.length)}</td>
                {bases.map((basis) => (
                  <td class="pw-col-count">{integer(count(tensors, basis))}</td>
                ))}
                <td class="pw-col-share">{percent(count(tensors, share), scene.total)}</td>
              </tr>
              {shown && (
                <Tensors
                  scene={scene}
                  tensors={order(
                    tensors,
                    ({ name }) => name,
                    (t) => [t],
                  )}
                  bases={bases}
                />
              )}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}
