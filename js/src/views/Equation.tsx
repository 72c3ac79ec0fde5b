/** A sum twice: short on one line, and in exact integers that add up. */
import { Fragment } from "preact";
import { integer, short, signed } from "../format";

export interface Row {
  label: string;
  n: number;
}

export interface EquationProps {
  id: string;
  title: string;
  /** the first row as it is, the others with their sign */
  rows: readonly Row[];
  result: Row;
  /** whether the short line names its terms */
  named?: boolean;
}

export function Equation({ id, title, rows, result, named = false }: EquationProps) {
  const widest = Math.max(result.n, ...rows.map((row) => Math.abs(row.n)));
  const say = (n: number) => short(n, widest);
  return (
    <section class="pw-equation" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      <p class="pw-terms">
        {rows.map((row, i) => (
          // The space after a term is where the line may break, so it is outside of what must not.
          <Fragment key={`${i} ${row.label}`}>
            <span title={`${row.label}: ${integer(row.n)}`}>
              {i > 0 ? signed(row.n, say) : say(row.n)}
              {named && <span class="pw-soft"> {row.label}</span>}
            </span>{" "}
          </Fragment>
        ))}
        <span title={integer(result.n)}>
          = <b>{say(result.n)}</b>
        </span>
      </p>
      <table class="pw-exact">
        <tbody>
          {rows.map((row, i) => (
            <tr key={`${i} ${row.label}`}>
              <th scope="row">{row.label}</th>
              <td>{i > 0 ? signed(row.n) : integer(row.n)}</td>
            </tr>
          ))}
          <tr class="pw-result">
            <th scope="row">{result.label}</th>
            <td>{integer(result.n)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
