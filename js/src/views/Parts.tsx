/** The parts nested: to scale and zoomed into by a click, and on a log scale, where 98% and 0.00004% are each one row. */
import { buildUp } from "../buildup";
import { type Child, h } from "../dom";
import { integer, percent, short } from "../format";
import { type Scene, select, type ViewProps } from "../scene";
import { byRole, counted, out } from "../sum";
import { Sum } from "./bits";
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
  return (
    <div>
      <p class="pw-crumbs">
        {inside ? (
          <button type="button" class="pw-chip" onclick={() => set({ zoom: "" })}>
            ‹ all parts
          </button>
        ) : (
          "To scale: a click on a part shows what is inside."
        )}{" "}
        {inside && `${inside.label}: ${integer(whole)} ${now.basis}`}
      </p>
      <div class="pw-bar pw-nest">
        {pieces.map(
          ({ role, tensor, label, n }) =>
            n > 0 && (
              <button
                type="button"
                key={tensor ?? role}
                class={`pw-stretch ${roleClass(role)}`}
                style={`flex-grow:${n}`}
                data-role={role}
                data-tensor={tensor}
                aria-label={`${label}: ${integer(n)}, ${percent(n, whole)}`}
                title={`${label}: ${integer(n)}`}
                onclick={() =>
                  tensor ? select(scene, tensor) : set({ zoom: role, open: new Set(ui.open).add(role) })
                }
              >
                <span class="pw-nest-text">
                  {label}
                  <br />
                  {short(n, total)}
                </span>
                {!tensor && (
                  <span class="pw-bar pw-inner">
                    {tensorPieces(scene, role).map(
                      (inner) =>
                        inner.n > 0 && (
                          <i style={`flex-grow:${inner.n}`} data-role={role} data-tensor={inner.tensor} />
                        ),
                    )}
                  </span>
                )}
              </button>
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
