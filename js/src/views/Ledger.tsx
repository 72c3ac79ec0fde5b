/** One row for each part: its toggle, its size on a log scale, its exact count, and its tensors. */
import { useEffect, useRef } from "preact/hooks";
import { integer, percent } from "../format";
import { copiesText } from "../layers";
import type { Scene, ViewProps } from "../scene";
import { byRole, copies, effect, out } from "../sum";
import type { Basis, Tensor, Toggle } from "../wire";
import { AxisHead, axisOf, Dots } from "./Dots";
import { roleClass } from "./role";
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

export function Ledger({ scene }: ViewProps) {
  const { wire, now, id, open, setOpen, sought } = scene;
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    const rows = [...(table.current?.tBodies ?? [])].find((body) => body.id === `${id}-role-${sought.role}`);
    rows?.scrollIntoView?.({ block: "nearest" });
  }, [id, sought]);
  const roles = wire.roles.map((role) => {
    const tensors = wire.tensors.filter((t) => t.role === role.key);
    return {
      ...role,
      tensors,
      stored: sizeOf(scene, tensors, "stored"),
      active: sizeOf(scene, tensors, "active"),
    };
  });
  const axis = axisOf(roles.flatMap((role) => [role.stored, role.active]));
  const counts = byRole(wire, now);
  const keys = out(wire, now);
  const kinds = wire.toggles.filter((toggle) => !wire.roles.some((role) => role.key === toggle.key));
  const allOpen = roles.length > 0 && roles.every((role) => open.has(role.key));

  const turn = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };

  return (
    <div class="pw-ledger-band">
      <table class="pw-ledger" ref={table}>
        <caption class="pw-hidden">
          Parts of {wire.model} on the {now.basis} basis, {integer(scene.total)} counted. A box says whether a
          part counts; a name opens its tensors.
        </caption>
        <thead>
          <tr>
            <th scope="col">
              {roles.length > 0 && (
                <button
                  type="button"
                  class="pw-link pw-small"
                  aria-expanded={allOpen}
                  onClick={() => setOpen(new Set(allOpen ? [] : roles.map((role) => role.key)))}
                >
                  {allOpen ? "close all" : `all ${tensorCount(wire.tensors.length)}`}
                </button>
              )}
            </th>
            <th scope="col" title="size, log scale" aria-label="size, log scale">
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
        {roles.map((role) => {
          const toggle = wire.toggles.find((t) => t.key === role.key);
          const gone = keys.has(role.key);
          const n = counts.get(role.key) ?? 0;
          const change = toggle ? effect(wire, now, role.key) : n;
          const texts = new Set(role.tensors.map((t) => copiesText(t, now.basis)));
          const shown = open.has(role.key);
          const why = toggle ? reason(role.tensors, wire.tensors, { n, change, gone }) : "";
          return (
            <tbody
              key={role.key}
              id={`${id}-role-${role.key}`}
              class={scene.hot === role.key ? "pw-hot-rows" : ""}
              onMouseEnter={() => scene.point(role.key)}
              onMouseLeave={() => scene.point("")}
              onFocusCapture={() => scene.point(role.key)}
              onBlurCapture={() => scene.point("")}
            >
              <tr class={gone ? "pw-row-out" : ""}>
                <th scope="row">
                  <span class="pw-part">
                    {toggle ? (
                      <Box scene={scene} toggle={toggle} gone={gone} change={change} />
                    ) : (
                      <span class="pw-box" />
                    )}
                    <button
                      type="button"
                      class="pw-name"
                      aria-expanded={shown}
                      title={`${role.label}: ${tensorCount(role.tensors.length)}`}
                      onClick={() => turn(role.key)}
                    >
                      <i class="pw-chevron" />
                      <i class={`pw-swatch ${roleClass(role.key)}`} />
                      {role.label}
                    </button>
                  </span>
                </th>
                <td>
                  <Dots axis={axis} role={role.key} stored={role.stored} active={role.active} out={n === 0} />
                </td>
                <td class="pw-col-copies">
                  {texts.size === 1 ? [...texts][0] : tensorCount(role.tensors.length)}
                </td>
                <td class="pw-col-count">{gone ? `+ ${integer(change)}` : integer(n)}</td>
                <td class="pw-col-share">{gone ? "left out" : percent(n, scene.total)}</td>
              </tr>
              {why && (
                <tr class="pw-why">
                  <td colSpan={4}>{why}</td>
                </tr>
              )}
              {shown && <Tensors scene={scene} role={role.key} />}
            </tbody>
          );
        })}
        {kinds.length > 0 && <Kinds scene={scene} kinds={kinds} gone={keys} />}
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
function Kinds({ scene, kinds, gone }: ViewProps & { kinds: Toggle[]; gone: ReadonlySet<string> }) {
  return (
    <tbody class="pw-kinds">
      {kinds.map((toggle) => {
        const out = gone.has(toggle.key);
        const change = effect(scene.wire, scene.now, toggle.key);
        return (
          <tr key={toggle.key} class={out ? "pw-row-out" : ""}>
            <th scope="row" colSpan={2}>
              <span class="pw-part">
                <Box scene={scene} toggle={toggle} gone={out} change={change} />
                <span class="pw-kind">
                  {toggle.label} <span class="pw-soft pw-small">within the parts above</span>
                </span>
              </span>
            </th>
            <td class="pw-col-copies" />
            <td class="pw-col-count">{`${out ? "+ " : ""}${integer(change)}`}</td>
            <td class="pw-col-share">{out ? "left out" : ""}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

interface BoxProps extends ViewProps {
  toggle: Toggle;
  gone: boolean;
  change: number;
}

function Box({ scene, toggle, gone, change }: BoxProps) {
  const id = `${scene.id}-toggle-${toggle.key}`;
  return (
    <label
      class="pw-box"
      title={`${toggle.help}${toggle.help && " "}Flipping it changes ${integer(change)}.`}
    >
      <input
        type="checkbox"
        id={id}
        checked={!gone}
        aria-label={`count ${toggle.label}; flipping it changes ${integer(change)}`}
        aria-describedby={toggle.help ? `${id}-help` : undefined}
        onChange={() => scene.flip(toggle.key)}
      />
      <span class="pw-hidden" id={`${id}-help`}>
        {toggle.help}
      </span>
    </label>
  );
}
