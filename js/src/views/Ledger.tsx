/** One row for each part: its toggle, its size on a log scale, its exact count, and its tensors. */
import { type Child, h } from "../dom";
import { integer, percent } from "../format";
import { copiesText } from "../layers";
import type { Scene, ViewProps } from "../scene";
import { byRole, copies, effect, out } from "../sum";
import type { Basis, Tensor, Toggle } from "../wire";
import { Swatch } from "./bits";
import { AxisHead, axisOf, Dots } from "./Dots";
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

export const tensorCount = (n: number) => `${integer(n)} ${n === 1 ? "tensor" : "tensors"}`;

/** Opens and closes a part's tensors. */
export function NameButton({
  scene,
  role,
  label,
  shown,
  flip,
}: ViewProps & { role: string; label: string; shown: boolean; flip: string }): Child {
  return (
    <button
      type="button"
      class="pw-name"
      aria-expanded={shown}
      onclick={() => {
        const next = new Set(scene.ui.open);
        if (!next.delete(flip)) next.add(flip);
        scene.set({ open: next });
      }}
    >
      <i class="pw-chevron" />
      <Swatch role={role} />
      {label}
    </button>
  );
}

export function Ledger({ scene }: ViewProps): Child {
  const { wire, now, ui, set } = scene;
  const { open } = ui;
  const roles = wire.roles.map((role) => {
    const tensors = wire.tensors.filter((t) => t.role === role.key);
    return {
      ...role,
      tensors,
      stored: sizeOf(scene, tensors, "stored"),
      active: sizeOf(scene, tensors, "active"),
    };
  });
  // The axis reaches down to the smallest tensor that is shown.
  const axis = axisOf([
    ...roles.flatMap((role) => [role.stored, role.active]),
    ...wire.tensors.filter((t) => open.has(t.role)).map((t) => t.numel * t.activeCopies),
  ]);
  const counts = byRole(wire, now);
  const keys = out(wire, now);
  const kinds = wire.toggles.filter((toggle) => !wire.roles.some((role) => role.key === toggle.key));
  const allOpen = roles.length > 0 && roles.every((role) => open.has(role.key));
  return (
    <div class="pw-ledger-band">
      <table class="pw-ledger">
        <caption class="pw-hidden">
          Parts of {wire.model} on the {now.basis} basis, {integer(scene.total)} counted. A box says whether a
          part counts; a name opens its tensors.
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <button
                type="button"
                class="pw-link pw-small"
                aria-expanded={allOpen}
                onclick={() => set({ open: new Set(allOpen ? [] : roles.map((role) => role.key)) })}
              >
                {allOpen ? "close all" : `all ${tensorCount(wire.tensors.length)}`}
              </button>
            </th>
            <th scope="col" aria-label="size, log scale">
              <AxisHead axis={axis} />
            </th>
            <th scope="col" class="pw-col-copies">
              copies
            </th>
            <th scope="col" class="pw-col-count">
              {now.basis}
            </th>
            <th scope="col" class="pw-col-share">
              share
            </th>
          </tr>
        </thead>
        {roles.map(({ key, label, tensors, stored, active }) => {
          const toggle = wire.toggles.find((t) => t.key === key);
          const gone = keys.has(key);
          const n = counts.get(key) ?? 0;
          const change = toggle ? effect(wire, now, key) : n;
          const texts = new Set(tensors.map((t) => copiesText(t, now.basis)));
          const shown = open.has(key);
          const why = toggle ? reason(tensors, wire.tensors, { n, change, gone }) : "";
          return (
            <tbody key={key} data-role={key}>
              <tr class={gone ? "pw-row-out" : ""}>
                <th scope="row">
                  <span class="pw-part">
                    {toggle ? (
                      <Box scene={scene} toggle={toggle} gone={gone} change={change} />
                    ) : (
                      <span class="pw-box" />
                    )}
                    <NameButton scene={scene} role={key} label={label} shown={shown} flip={key} />
                  </span>
                </th>
                <td>
                  <Dots axis={axis} role={key} stored={stored} active={active} out={n === 0} />
                </td>
                <td class="pw-col-copies">
                  {texts.size === 1 ? [...texts][0] : tensorCount(tensors.length)}
                </td>
                <td class="pw-col-count">{gone ? `+ ${integer(change)}` : integer(n)}</td>
                <td class="pw-col-share">{gone ? "left out" : percent(n, scene.total)}</td>
              </tr>
              {why && (
                <tr class="pw-why">
                  <td colspan={5}>{why}</td>
                </tr>
              )}
              {shown && <Tensors scene={scene} tensors={tensors} axis={axis} />}
            </tbody>
          );
        })}
        {kinds.length > 0 && (
          <tbody class="pw-kinds">
            {kinds.map((toggle) => (
              <Kind key={toggle.key} scene={scene} toggle={toggle} gone={keys.has(toggle.key)} />
            ))}
          </tbody>
        )}
      </table>
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
  const same = other ? `same matrix as ${other}, counted once` : "nothing of it is used on this basis";
  if (gone) return change === 0 ? `counting it changes 0: ${same}` : "";
  if (n === 0 && change === 0) return same;
  return change === n ? "" : `leaving it out alone changes ${integer(change)}: ${same}`;
}

/** Biases, buffers and the like lie across the roles: they have a box but no share, as only roles add up. */
function Kind({ scene, toggle, gone }: ViewProps & { toggle: Toggle; gone: boolean; key?: string }): Child {
  const change = effect(scene.wire, scene.now, toggle.key);
  return (
    <tr class={gone ? "pw-row-out" : ""}>
      <th scope="row" colspan={2}>
        <span class="pw-part">
          <Box scene={scene} toggle={toggle} gone={gone} change={change} />
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

interface BoxProps extends ViewProps {
  toggle: Toggle;
  gone: boolean;
  change: number;
}

function Box({ scene, toggle: { key, label, help }, gone, change }: BoxProps): Child {
  const id = `${scene.id}-toggle-${key}`;
  return (
    <label class="pw-box" title={`${help}${help && " "}Flipping it changes ${integer(change)}.`}>
      <input
        type="checkbox"
        id={id}
        checked={!gone}
        aria-label={`count ${label}; flipping it changes ${integer(change)}`}
        aria-describedby={help ? `${id}-help` : undefined}
        onchange={() => scene.flip(key)}
      />
      <span class="pw-hidden" id={`${id}-help`}>
        {help}
      </span>
    </label>
  );
}
