/** What the views share: a number that gives its exact integer, a link, a choice, a sum. */
import { type Child, Fragment, flat, h } from "../dom";
import { integer, short, signed } from "../format";
import { meanwhile } from "../later";
import { say } from "../say";
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

/** What a source says, with the way to it: the same form wherever it is cited. */
export const Cited = ({ text, url }: { text: Child; url: string }): Child => [
  text,
  url && [" ", <Link href={url}>source</Link>],
];

/** The colour of a part; hollow where the part is left out. */
export const Swatch = ({ role, out }: { role: string; out?: boolean }): Child => (
  <i class={`pw-swatch ${roleClass(role)}${out ? " pw-hollow" : ""}`} />
);

/** A text in a bar, each piece of it shown whole or not at all: half a number is another number. */
export const Label = ({ children }: { children?: Child }): Child => (
  <span class="pw-label">
    {flat(children).map((piece) => (
      <span>{piece}</span>
    ))}
  </span>
);

/** In the place of what the second module draws, until it is there. */
export const Later = (): Child => (
  <p class="pw-soft" role="status">
    {meanwhile()}
  </p>
);

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

interface GridProps {
  caption: string;
  head?: readonly string[];
  /** the first cell of a row names it */
  rows: readonly (readonly Child[])[];
  /** whether the last row is the sum of the others */
  sum?: boolean;
}

/** A table of integers. */
export const Grid = ({ caption, head, rows, sum }: GridProps): Child => (
  <table class="pw-exact">
    <caption class="pw-hidden">{caption}</caption>
    {head && (
      <thead>
        <tr>
          {head.map((text) => (
            <th scope="col">{text}</th>
          ))}
        </tr>
      </thead>
    )}
    <tbody>
      {rows.map(([name, ...cells], i) => (
        <tr class={sum && i === rows.length - 1 ? "pw-result" : ""}>
          <th scope="row">{name}</th>
          {cells.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A stretch of a row's own scale, from a share of it to another. */
export const Fall = ({
  from = 0,
  to,
  role,
}: {
  from?: number;
  to: number;
  role?: string | undefined;
}): Child => (
  <i
    class={`pw-fall ${role ? roleClass(role) : ""}`}
    style={`margin-inline-start:${100 * Math.min(from, to)}%;width:${100 * Math.abs(to - from)}%`}
  />
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
export function Sum({ id, title, rows, result, named }: SumProps): Child {
  const ends = rows.map((_, i) => rows.slice(0, i + 1).reduce((n, row) => n + row.n, 0));
  const widest = Math.max(...ends, 1);
  const number = (n: number) => <Num n={Math.abs(n)} text={short(Math.abs(n), widest)} />;
  return (
    <section class="pw-sum" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      <p class="pw-terms">
        {rows.map(({ label, n }, i) => (
          // The space after a term is where the line may break, so it is outside of what must not.
          <>
            <span>
              {i > 0 && (n < 0 ? "− " : "+ ")}
              {number(n)}
              {named && <span class="pw-soft"> {label}</span>}
            </span>{" "}
          </>
        ))}
        <span>
          = <b>{number(result.n)}</b>
        </span>
      </p>
      <Grid
        caption={say("exact")}
        rows={[
          ...rows.map(({ label, n }, i) => [
            label,
            <Fall from={(ends[i - 1] ?? 0) / widest} to={(ends[i] ?? 0) / widest} />,
            i > 0 ? signed(n) : integer(n),
          ]),
          [result.label, <Fall to={result.n / widest} />, integer(result.n)],
        ]}
        sum
      />
    </section>
  );
}
