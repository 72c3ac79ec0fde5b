/** One row for each part: its toggle, its size on a log scale, its exact count, and its tensors; and all of them as a tree. */
import { type Child, Fragment, h } from "../dom";
import { integer, percent } from "../format";
import { copiesText } from "../layers";
import { say } from "../say";
import type { Scene, ViewProps } from "../scene";
import { copies, counted, effect, out } from "../sum";
import type { Basis, Tensor, Toggle } from "../wire";
import { Swatch } from "./bits";
import { AxisHead, axisOf, Dots, gridOf } from "./Dots";
import { Tensors } from "./Tensors";

/**
 * Parameters under a role whatever is left out, but for kinds that the basis never counts by default (scales);
 * a second name of a matrix only where nothing else is there.
 */
function sizeOf({ wire, now }: Scene, tensors: readonly Tensor[], basis: Basis): number {
  const usual = tensors.filter((t) => !wire.defaults[basis].includes(t.kind) || now.on.includes(t.kind));
  const size = (some: readonly Tensor[]) => some.reduce((n, t) => n + t.numel * copies(t, basis), 0);
  return size(usual.filter((t) => !t.tiedTo)) || size(usual);
}

const tensorCount = (n: number) => `${integer(n)} ${n === 1 ? "tensor" : "tensors"}`;

/** Whether every word of a query is somewhere in what is known of a tensor. */
const found =
  (query: string) =>
  ({ name, role, kind, symbols, dtype }: Tensor): boolean => {
    const text = [name, role, kind, symbols, dtype].join(" ").toLowerCase();
    return query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  };

/** The table of the parts, or, `full`, the tree of all tensors: searched, sorted, on both bases. */
export function Ledger({ scene, full }: ViewProps & { full?: boolean }): Child {
  const { wire, now, ui, set } = scene;
  const bases: Basis[] = full
    ? [now.basis === "architectural" ? now.basis : "stored", "active"]
    : [now.basis];
  const keys = out(wire, now);
  const count = (tensors: readonly Tensor[], basis: Basis) => {
    const gone = out(wire, { ...now, basis });
    return tensors.reduce((n, t) => n + counted(t, basis, gone), 0);
  };
  // In the tree a part that was never touched is open, in the ledger it is closed: one set of what was flipped.
  const flipOf = (key: string) => (full ? `tree ${key}` : key);
  const isOpen = (key: string) => ui.open.has(flipOf(key)) !== !!full;
  const hits = full ? wire.tensors.filter(found(ui.query)) : wire.tensors;
  const roles = wire.roles
    .map(({ key, label }) => ({ key, name: label, tensors: hits.filter((t) => t.role === key) }))
    .filter(({ tensors }) => tensors.length > 0);
  const sorted = <T extends { name: string }>(rows: T[], tensors: (row: T) => Tensor[]): T[] => {
    const { sort } = ui;
    if (!full || !sort) return rows;
    return rows.sort((a, b) =>
      sort === "name"
        ? a.name.localeCompare(b.name, "en")
        : count(tensors(b), sort as Basis) - count(tensors(a), sort as Basis),
    );
  };
  const shown = roles.flatMap(({ key, tensors }) => (isOpen(key) ? tensors : []));
  const axis = axisOf([
    ...roles.flatMap(({ tensors }) => [sizeOf(scene, tensors, "stored"), sizeOf(scene, tensors, "active")]),
    ...shown.map((t) => t.numel * t.activeCopies),
  ]);
  const kinds = wire.toggles.filter((toggle) => !wire.roles.some((role) => role.key === toggle.key));
  const allOpen = roles.every(({ key }) => isOpen(key));
  const head = (key: string, name?: string) => (
    <th
      scope="col"
      class={name}
      aria-sort={full && ui.sort === key ? (key === "name" ? "ascending" : "descending") : undefined}
    >
      {full ? (
        <button class="pw-link pw-small" onclick={() => set({ sort: ui.sort === key ? "" : key })}>
          {key}
          {ui.sort === key && (key === "name" ? " ▲" : " ▼")}
        </button>
      ) : (
        key
      )}
    </th>
  );
  return (
    <div class="pw-ledger-band">
      <div class="pw-controls">
        <button
          class="pw-link pw-small"
          aria-expanded={allOpen}
          onclick={() =>
            set({ open: new Set(allOpen === !!full ? roles.map(({ key }) => flipOf(key)) : []) })
          }
        >
          {allOpen ? "close all" : `all ${tensorCount(wire.tensors.length)}`}
        </button>
        {full && (
          <>
            <input
              class="pw-input"
              type="search"
              aria-label="Search the tensors"
              value={ui.query}
              placeholder="name, role or formula"
              oninput={({ currentTarget }) => set({ query: (currentTarget as HTMLInputElement).value })}
            />
            <span role="status" class="pw-soft">
              {hits.length} of {tensorCount(wire.tensors.length)}
            </span>
          </>
        )}
      </div>
      <table class={`pw-ledger${full ? " pw-tree" : ""}`} style={`--pw-grid:${gridOf(axis)}`}>
        <caption class="pw-hidden">{say("ledger", wire.model, integer(scene.total), now.basis)}</caption>
        <thead>
          <tr>
            {head("name")}
            {!full && (
              <th scope="col" aria-label="size, log scale">
                <AxisHead axis={axis} />
              </th>
            )}
            <th scope="col" class="pw-col-copies">
              copies
            </th>
            {bases.map((basis) => head(basis, "pw-col-count"))}
            <th scope="col" class="pw-col-share">
              share
            </th>
          </tr>
        </thead>
        {sorted(roles, (role) => role.tensors).map(({ key, name, tensors }) => {
          const toggle = full ? undefined : wire.toggles.find((t) => t.key === key);
          const gone = keys.has(key);
          const n = count(tensors, now.basis);
          const change = toggle ? effect(wire, now, key) : n;
          const texts = new Set(tensors.map((t) => copiesText(t, now.basis)));
          const why = toggle && reason(tensors, wire.tensors, { n, change, gone });
          return (
            <tbody key={key} data-role={key}>
              <tr class={gone ? "pw-row-out" : ""}>
                <th scope="row">
                  <span class="pw-part">
                    {!full &&
                      (toggle ? <Box scene={scene} toggle={toggle} change={change} /> : <i class="pw-box" />)}
                    <button
                      class="pw-name"
                      aria-expanded={isOpen(key)}
                      onclick={() => {
                        const open = new Set(ui.open);
                        if (!open.delete(flipOf(key))) open.add(flipOf(key));
                        set({ open });
                      }}
                    >
                      <i class="pw-chevron" />
                      <Swatch role={key} />
                      {name}
                    </button>
                  </span>
                </th>
                {!full && (
                  <td>
                    <Dots
                      axis={axis}
                      role={key}
                      stored={sizeOf(scene, tensors, "stored")}
                      active={sizeOf(scene, tensors, "active")}
                      out={n === 0}
                    />
                  </td>
                )}
                <td class="pw-col-copies">
                  {texts.size === 1 ? [...texts][0] : tensorCount(tensors.length)}
                </td>
                {bases.map((basis) => (
                  <td class="pw-col-count">
                    {out(wire, { ...now, basis }).has(key)
                      ? `+ ${integer(effect(wire, { ...now, basis }, key))}`
                      : integer(count(tensors, basis))}
                  </td>
                ))}
                <td class="pw-col-share">{gone ? "left out" : percent(n, scene.total)}</td>
              </tr>
              {why && (
                <tr class="pw-why">
                  <td colspan={4}>{why}</td>
                  <td class="pw-col-copies" />
                </tr>
              )}
              {isOpen(key) && (
                <Tensors
                  scene={scene}
                  tensors={sorted(tensors, (t) => [t])}
                  bases={bases}
                  axis={full ? undefined : axis}
                />
              )}
            </tbody>
          );
        })}
        {!full && kinds.length > 0 && (
          <tbody class="pw-kinds">
            {kinds.map((toggle) => (
              <Kind key={toggle.key} scene={scene} toggle={toggle} gone={keys.has(toggle.key)} />
            ))}
          </tbody>
        )}
      </table>
      {!full && (
        <p class="pw-key pw-small" aria-hidden="true">
          <span>size, log scale:</span>
          <span>
            <i class="pw-dot" />
            active
          </span>
          <span>
            <i class="pw-dot pw-dot-stored" />
            stored
          </span>
        </p>
      )}
    </div>
  );
}

/** What a row says where its count is not what its box changes: two names of one matrix trade places. */
function reason(
  own: readonly Tensor[],
  all: readonly Tensor[],
  { n, change, gone }: { n: number; change: number; gone: boolean },
): string {
  const other =
    own.find((t) => t.tiedTo)?.tiedTo ?? all.find((t) => own.some((o) => o.name === t.tiedTo))?.name;
  const same = other ? say("same_matrix", other) : say("nothing_used");
  if (gone) return change === 0 ? say("counting_changes_0", same) : "";
  if (n === 0 && change === 0) return same;
  return change === n ? "" : say("leaving_out_changes", integer(change), same);
}

/** Biases, buffers and the like lie across the roles: they have a box but no share, as only roles add up. */
function Kind({ scene, toggle, gone }: ViewProps & { toggle: Toggle; gone: boolean; key?: string }): Child {
  const change = effect(scene.wire, scene.now, toggle.key);
  return (
    <tr class={gone ? "pw-row-out" : ""}>
      <th scope="row" colspan={2}>
        <span class="pw-part">
          <Box scene={scene} toggle={toggle} change={change} />
          <span class="pw-kind">
            {toggle.label} <span class="pw-soft pw-small">within the parts above</span>
          </span>
        </span>
      </th>
      <td class="pw-col-copies" />
      <td class="pw-col-count">{`${gone ? "+ " : ""}${integer(change)}`}</td>
      <td class="pw-col-share">{gone && "left out"}</td>
    </tr>
  );
}

function Box({
  scene,
  toggle: { key, label, help },
  change,
}: ViewProps & { toggle: Toggle; change: number }): Child {
  const id = `${scene.id}-toggle-${key}`;
  return (
    <label class="pw-box" title={help + say("flipping", integer(change))}>
      <input
        type="checkbox"
        id={id}
        checked={!out(scene.wire, scene.now).has(key)}
        aria-label={say("count", label, integer(change))}
        aria-describedby={`${id}-help`}
        onchange={() => scene.flip(key)}
      />
      <span class="pw-hidden" id={`${id}-help`}>
        {help}
      </span>
    </label>
  );
}
