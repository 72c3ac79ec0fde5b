/** The single tensors of one role: each number with the product that gives it. */
import { integer, percent } from "../format";
import { copiesText } from "../layers";
import type { ViewProps } from "../scene";
import { copies, counted, leftOut, out } from "../sum";
import type { Basis, Tensor } from "../wire";

export function Tensors({ scene, role }: ViewProps & { role: string }) {
  const { wire, now } = scene;
  const keys = out(wire, now);
  return (
    <>
      {wire.tensors
        .filter((tensor) => tensor.role === role)
        .map((tensor) => {
          const n = counted(tensor, now.basis, keys);
          const gone = leftOut(tensor, keys);
          const whole = tensor.numel * copies(tensor, now.basis);
          return (
            <tr key={tensor.name} class={`pw-tensor${gone ? " pw-row-out" : ""}`}>
              <th scope="row" colSpan={2}>
                <code>{tensor.name}</code>
                <Formula tensor={tensor} basis={now.basis} />
              </th>
              <td class="pw-col-copies">{copiesText(tensor, now.basis)}</td>
              <td class="pw-col-count">{integer(gone ? whole : n)}</td>
              <td class="pw-col-share">{gone ? "left out" : percent(n, scene.total)}</td>
            </tr>
          );
        })}
    </>
  );
}

function Formula({ tensor, basis }: { tensor: Tensor; basis: Basis }) {
  const { symbols, numbers, shape, numel, stacked } = tensor;
  const n = copies(tensor, basis);
  const product = [symbols, numbers, integer(numel)].filter((text, i, all) => text && text !== all[i - 1]);
  const inFile = stacked ? [stacked.size, ...shape] : shape;
  return (
    <span class="pw-formula">
      {product.join(" = ")}
      {n !== 1 && `; × ${integer(n)} (${copiesText(tensor, basis)}) = ${integer(numel * n)}`}
      {shape.length > 0 && (
        <>
          <br />
          shape{stacked ? " in the file" : ""} [{inFile.map(integer).join(", ")}]
          {notes(tensor).map((note) => `; ${note}`)}
        </>
      )}
    </span>
  );
}

function notes(tensor: Tensor): string[] {
  const { kind, dtype, implied, tiedTo, note, activeLow, activeCopies, stacked } = tensor;
  return [
    kind !== "weight" && kind,
    dtype,
    stacked?.field && `${stacked.field} in one tensor`,
    tiedTo && `tied to ${tiedTo}`,
    implied && "implied: the config does not name it",
    activeLow !== activeCopies &&
      `a token uses ${integer(activeLow)} to ${integer(activeCopies)}, as routing decides`,
    note,
  ].filter((text): text is string => Boolean(text));
}
