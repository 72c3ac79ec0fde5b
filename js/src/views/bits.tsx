/** What the views share: a number that gives its exact integer, a link, a choice, a sum. */
import { type Child, Fragment, h } from "../dom";
import { integer, short, signed } from "../format";
import { webAddress } from "../wire";
import { roleClass } from "./role";

/** An abbreviated number: its exact integer on focus and hover, and copied by a click. */
export const Num = ({
  n,
  text = short(n),
  unit = "",
}: {
  n: number;
  text?: string;
  unit?: string;
}): Child => (
  <button
    type="button"
    class="pw-num"
    data-exact={integer(n) + unit}
    aria-label={`${text}: exactly ${integer(n)}${unit}, copy`}
  >
    {text}
  </button>
);

export function Link({ href, children }: { href: string; children?: Child }): Child {
  const address = webAddress(href);
  return address ? (
    <a class="pw-link" href={address} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    children
  );
}

export const Swatch = ({ role }: { role: string }): Child => <i class={`pw-swatch ${roleClass(role)}`} />;

interface PickProps {
  label: string;
  value: string | number;
  options: readonly (readonly [value: string | number, text: string])[];
  pick(value: string): void;
}

/** A labelled list to choose from. */
export const Pick = ({ label, value, options, pick }: PickProps): Child => (
  <label class="pw-field">
    <span class="pw-soft">{label}</span>
    <select
      class="pw-input"
      value={String(value)}
      onchange={({ currentTarget }) => pick((currentTarget as HTMLSelectElement).value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={String(key)}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

export interface Row {
  label: string;
  n: number;
}

interface SumProps {
  id: string;
  title: Child;
  /** the first row as it is, the others with their sign */
  rows: readonly Row[];
  result: Row;
  /** whether the short line names its terms */
  named?: boolean;
}

/** A sum twice: short on one line, and in exact integers that add up, each drawn from where the one before ends. */
export function Sum({ id, title, rows, result, named = false }: SumProps): Child {
  const ends = rows.map((_, i) => rows.slice(0, i + 1).reduce((n, row) => n + row.n, 0));
  const widest = Math.max(...ends, 1);
  const say = (n: number) => short(n, widest);
  const bar = (from: number, to: number) => (
    <td class="pw-fall" aria-hidden="true">
      <i
        style={`margin-inline-start:${(100 * Math.min(from, to)) / widest}%;width:${(100 * Math.abs(to - from)) / widest}%`}
      />
    </td>
  );
  return (
    <section class="pw-sum" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      <p class="pw-terms">
        {rows.map((row, i) => (
          // The space after a term is where the line may break, so it is outside of what must not.
          <>
            <span>
              {i > 0 && `${signed(row.n).slice(0, 1)} `}
              <Num n={Math.abs(row.n)} text={say(Math.abs(row.n))} />
              {named && <span class="pw-soft"> {row.label}</span>}
            </span>{" "}
          </>
        ))}
        <span>
          = <b>{<Num n={result.n} text={say(result.n)} />}</b>
        </span>
      </p>
      <table class="pw-exact">
        <tbody>
          {rows.map((row, i) => (
            <tr>
              <th scope="row">{row.label}</th>
              {bar(ends[i - 1] ?? 0, ends[i] ?? 0)}
              <td>{i > 0 ? signed(row.n) : integer(row.n)}</td>
            </tr>
          ))}
          <tr class="pw-result">
            <th scope="row">{result.label}</th>
            {bar(0, result.n)}
            <td>{integer(result.n)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
