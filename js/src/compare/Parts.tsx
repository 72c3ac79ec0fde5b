/** The parts, aligned by role: rows of parts while the models can stand side by side, else rows of models. */
import { type Child, Fragment, h } from "../dom";
import { integer, percent } from "../format";
import { roleClass } from "../views/role";
import type { Part } from "../wire";
import { SortHead } from "./SortHead";
import { SIDE_BY_SIDE, type View } from "./view";

export function Parts({ view }: { view: View }): Child {
  const roles = view.wire.roles.filter(({ key }) => view.rows.some((row) => (row.parts.get(key) ?? 0) > 0));
  const few = view.rows.length <= SIDE_BY_SIDE;
  return (
    <section class="pw-scroll" tabindex="0" aria-label={`parts, ${view.now.basis}`}>
      {few ? <SideBySide view={view} roles={roles} /> : <RowByRow view={view} roles={roles} />}
    </section>
  );
}

interface Props {
  view: View;
  roles: Part[];
}

function SideBySide({ view: { wire, rows, now }, roles }: Props): Child {
  return (
    <table class="pw-parts">
      <caption class="pw-hidden">Parameters by part, {now.basis}</caption>
      <thead>
        <tr>
          <th scope="col">part</th>
          {rows.map((row) => (
            <th key={row.place} scope="col" colspan="2" class="pw-number-head">
              {row.model.short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roles.map(({ key, label }) => (
          <tr key={key}>
            <th scope="row">
              <i class={`pw-swatch ${roleClass(key)}`} />
              {label}
            </th>
            {rows.map(({ model, parts, total }) => {
              const has = model.wire.tensors.some((t) => t.role === key);
              const n = parts.get(key) ?? 0;
              return (
                <>
                  <td class="pw-figure">{has ? integer(n) : "–"}</td>
                  <td class="pw-figure pw-share">{has ? percent(n, total) : ""}</td>
                </>
              );
            })}
          </tr>
        ))}
        <tr class="pw-sum">
          <th scope="row">{wire.models.length > 1 ? `total ${now.basis}` : now.basis}</th>
          {rows.map((row) => (
            <>
              <td class="pw-figure">{integer(row.total)}</td>
              <td />
            </>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function RowByRow({ view, roles }: Props): Child {
  return (
    <table class="pw-parts pw-many">
      <caption class="pw-hidden">Shares of each model's parameters by part, {view.now.basis}</caption>
      <thead>
        <tr>
          <SortHead view={view} name="model" label="model" />
          {roles.map(({ key, label }) => (
            <SortHead key={key} view={view} name={key} label={label} class="pw-number-head">
              <i class={`pw-swatch ${roleClass(key)}`} />
            </SortHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.rows.map(({ place, model, parts, total }) => (
          <tr key={place}>
            <th scope="row">{model.short}</th>
            {roles.map(({ key, label }) => {
              const n = parts.get(key) ?? 0;
              return (
                <td key={key} class="pw-figure" title={n ? `${label} ${integer(n)}` : undefined}>
                  {model.wire.tensors.some((t) => t.role === key) ? percent(n, total) : "–"}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
