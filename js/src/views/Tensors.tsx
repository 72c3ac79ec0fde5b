/** Single tensors: each number with the product that gives it. */
import { type Child, Fragment, h } from "../dom";
import { integer, percent } from "../format";
import { copiesText, layersText } from "../layers";
import { say } from "../say";
import type { ViewProps } from "../scene";
import { copies, counted, leftOut, out } from "../sum";
import type { Basis, Tensor } from "../wire";
import { type Axis, Dots, gridOf } from "./Dots";

export interface TensorsProps extends ViewProps {
  tensors: readonly Tensor[];
  /** a column for each; a dot on an axis before them */
  bases: readonly Basis[];
  axis: Axis | undefined;
}

export function Tensors({ scene, tensors, bases, axis }: TensorsProps): Child {
  const { wire, now } = scene;
  const outs = bases.map((basis) => out(wire, { ...now, basis }));
  const keys = out(wire, now);
  const grid = axis && gridOf(axis);
  return tensors.map((tensor, i) => {
    const n = counted(tensor, now.basis, keys);
    const gone = leftOut(tensor, keys);
    const key = `${i} ${tensor.name}`;
    const part = { "data-role": tensor.role, "data-tensor": tensor.name };
    const counts = bases.map((basis, at) => {
      const without = outs[at] ?? keys;
      return leftOut(tensor, without)
        ? `+ ${integer(tensor.numel * copies(tensor, basis))}`
        : integer(counted(tensor, basis, without));
    });
    const share = gone ? "left out" : percent(n, scene.total);
    const chosen = tensor.name === scene.choice.selected;
    const row = () => (
      <tr key={key} class={`pw-tensor${gone ? " pw-row-out" : ""}`} {...part}>
        {/* The name has the room of the dots' column as well, and the dots are below it. */}
        <th scope="row" colspan={axis && 2}>
          {same(tensor, "name", `${chosen}`, () => nameOf(tensor, chosen))}
          {axis && (
            <Dots
              axis={axis}
              role={tensor.role}
              stored={tensor.numel * tensor.copies}
              active={tensor.numel * tensor.activeCopies}
              out={n === 0}
            />
          )}
        </th>
        <td class="pw-col-copies">{copiesText(tensor, now.basis)}</td>
        {counts.map((count) => (
          <td class="pw-col-count">{count}</td>
        ))}
        <td class="pw-col-share">{share}</td>
      </tr>
    );
    const formula = () => (
      <tr key={`of ${key}`} class="pw-formula" {...part}>
        <td colspan={4}>
          <Formula tensor={tensor} basis={now.basis} />
        </td>
        <td class="pw-col-copies" />
      </tr>
    );
    return [
      same(tensor, "row", [key, grid, now.basis, !n, counts, share, chosen].join(), row),
      same(tensor, "formula", key + now.basis, formula),
    ];
  });
}

// Nodes that are the same as before are not compared, and most of a row's never change.
const drawn = new WeakMap<Tensor, Record<string, [state: string, nodes: Child]>>();

function same(tensor: Tensor, what: string, state: string, make: () => Child): Child {
  const own = drawn.get(tensor) ?? {};
  drawn.set(tensor, own);
  const [before, nodes] = own[what] ?? [];
  if (before === state) return nodes;
  const made = make();
  own[what] = [state, made];
  return made;
}

/**
 * The name as files spell it, in two pieces: the part that all tensors of a layer share, and their own. Where not
 * every layer of the stack has it, the layers are said. A click selects it.
 */
function nameOf({ name, layers, placed }: Tensor, chosen: boolean): Child {
  const cut = name.lastIndexOf("{layer}.");
  const at = cut < 0 ? 0 : cut + "{layer}.".length;
  return (
    <div>
      <button class="pw-tensor-name" data-pick="" aria-pressed={chosen} title={name}>
        {at > 0 && <span class="pw-prefix">{name.slice(0, at)}</span>}
        <span>
          {name
            .slice(at)
            .split(/(?<=[._])/)
            .map((piece, i) => [i > 0 && <wbr />, piece])}
        </span>
      </button>
      {placed && layers && (
        <span class="pw-where pw-soft pw-small" title={`layers ${layers}`}>
          {" "}
          {layersText(layers)}
        </span>
      )}
    </div>
  );
}

/** "shape hidden_size × (2 × intermediate_size) = 2,880 × (2 × 2,880) = … ; × 144 (36 × 4 of 128) = …" */
function Formula({ tensor, basis }: { tensor: Tensor; basis: Basis }): Child {
  const { symbols, numbers, shape, numel } = tensor;
  const n = copies(tensor, basis);
  const times = copiesText(tensor, basis);
  const product = [symbols, numbers, shape.map(integer).join(" × "), integer(numel)];
  const about = notes(tensor).join("; ");
  return (
    <>
      shape {product.filter((text, i) => text && text !== product[i - 1]).join(" = ")}
      {n !== 1 && `; × ${integer(n)}${times === integer(n) ? "" : ` (${times})`} = ${integer(numel * n)}`}
      {about && `; ${about}`}
    </>
  );
}

/** Several values in one byte: the shape is that of the values, and the file's is smaller. */
const PACKED = /(?:fp|nf|int|float)[1-7](?!\d)/i;

function notes(tensor: Tensor): string[] {
  const { kind, dtype, shape, implied, tiedTo, note, activeLow, activeCopies, stacked } = tensor;
  return [
    kind !== "weight" && kind,
    dtype,
    stacked &&
      `${PACKED.test(dtype) ? "unpacked" : "in the file"} ${[stacked.size, ...shape].map(integer).join(" × ")}, stacked over ${stacked.field || "experts"}`,
    tiedTo && `tied to ${tiedTo}`,
    implied && !/\bimplied\b/.test(note) && say("implied"),
    activeLow !== activeCopies && say("uses", integer(activeLow), integer(activeCopies)),
    note,
  ].filter((text): text is string => Boolean(text));
}
