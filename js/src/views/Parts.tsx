/** The parts nested: to scale and zoomed into by a click, and on a log scale, where 98% and 0.00004% are each one row. */
import { buildUp } from "../buildup";
import { type Child, h } from "../dom";
import { integer, percent, short } from "../format";
import type { Scene, ViewProps } from "../scene";
import { byRole, counted, out } from "../sum";
import { Label, Pick, Sum } from "./bits";
import { Ledger } from "./Ledger";
import { roleClass } from "./role";

interface Piece {
  role: string;
  tensor?: string;
  label: string;
  n: number;
}

function tensorPieces({ wire, now }: Scene, role: string): Piece[] {
  const keys = out(wire, now);
  return wire.tensors
    .filter((t) => t.role === role)
    .map((t) => ({
      role,
      tensor: t.name,
      // Without the module that all of a layer share.
      label: t.name.slice(t.name.lastIndexOf("}.") + 1).replace(/^\./, ""),
      n: counted(t, now.basis, keys),
    }));
}

export function Parts({ scene }: ViewProps): Child {
  const { wire, now, id, ui, set, total } = scene;
  const inside = wire.roles.find(({ key }) => key === ui.zoom);
  const counts = byRole(wire, now);
  const pieces: Piece[] = inside
    ? tensorPieces(scene, inside.key)
    : wire.roles.map(({ key, label }) => ({ role: key, label, n: counts.get(key) ?? 0 }));
  const whole = pieces.reduce((sum, { n }) => sum + n, 0);
  const zoom = (role: string) => set({ zoom: role, open: new Set(ui.open).add(role) });
  return (
    <div>
      <Pick
        label="To scale, inside"
        value={ui.zoom}
        options={[["", "all parts"], ...wire.roles.map(({ key, label }) => [key, label] as const)]}
        pick={zoom}
      />
      {/* For the eye and the pointer: the list above and the table below have the same for keyboards. */}
      <div class="pw-bar pw-nest" aria-hidden="true" data-pick="zoom">
        {pieces.map(
          ({ role, tensor, label, n }) =>
            n > 0 && (
              <span
                key={tensor ?? role}
                class={`pw-stretch ${roleClass(role)}`}
                style={`flex-grow:${n}`}
                data-role={role}
                data-tensor={tensor}
                title={`${label}: ${integer(n)}, ${percent(n, whole)}`}
              >
                <Label>{label}</Label>
                <Label>{short(n, total)}</Label>
                <span class="pw-bar pw-inner">
                  {!tensor &&
                    tensorPieces(scene, role).map(
                      (inner) =>
                        inner.n > 0 && (
                          <i style={`flex-grow:${inner.n}`} data-role={role} data-tensor={inner.tensor} />
                        ),
                    )}
                </span>
              </span>
            ),
        )}
      </div>
      <Ledger scene={scene} />
      {total > 0 && (
        <Sum
          id={`${id}-build-up`}
          title={`What the ${now.basis} count is made of`}
          rows={buildUp(wire, now)}
          result={{ label: now.basis, n: total }}
          named
        />
      )}
    </div>
  );
}
