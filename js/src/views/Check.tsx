/** The counts against the files: checkpoint minus config in exact integers, each difference with its cause. */
import { type Child, h } from "../dom";
import { integer, signed } from "../format";
import type { Scene, ViewProps } from "../scene";
import { Status } from "./Picker";

export function checkFigure({ wire: { check } }: Scene): string {
  if (!check) return "";
  return check.unexplained === 0 ? "explained" : `${integer(check.unexplained)} unexplained`;
}

export function Check({ scene }: ViewProps): Child {
  const { wire, kernel, id } = scene;
  const { check } = wire;
  return (
    <div>
      <p>
        <button
          type="button"
          class="pw-chip"
          disabled={!kernel.alive || kernel.doing !== ""}
          aria-describedby={`${id}-why`}
          onclick={() => kernel.ask({ do: "check" }, "Reading the headers of the files")}
        >
          {check ? "Compare again" : "Compare with the Hub's files"}
        </button>{" "}
        <span class="pw-soft" id={`${id}-why`}>
          Reads the headers of the checkpoint, no weights.
        </span>
      </p>
      <Status kernel={kernel} why="Reading files needs Python: run the cell again, or restart the kernel." />
      {!check && !kernel.doing && (
        <p>
          The counts above come from the config alone. No checkpoint was read, so nothing is compared yet.
        </p>
      )}
      {check && <Result scene={scene} />}
    </div>
  );
}

function Result({ scene: { wire } }: ViewProps): Child {
  const { check } = wire;
  if (!check) return null;
  const figures: [string, number | null, string][] = [
    ["config", check.predicted, "predicted from the config"],
    ["headers", check.parameters, "parameters in the files' headers"],
    ["scales", check.scales, "quantization scales in the headers, beside them"],
    ["Hub total", check.hubTotal, "what the Hub reports"],
  ];
  const rows = check.rows.filter(({ predicted, found }) => predicted !== found);
  return (
    <div>
      <p class={check.unexplained === 0 ? "pw-fit-match" : "pw-bad"}>
        {check.unexplained === 0
          ? rows.length === 0
            ? "= Every tensor is as predicted."
            : "= Every difference is explained."
          : `≠ ${integer(check.unexplained)} elements are not explained.`}
      </p>
      <table class="pw-exact pw-check">
        <caption class="pw-hidden">The three figures</caption>
        <tbody>
          {figures.map(([name, n, what]) => (
            <tr>
              <th scope="row">
                {name} <span class="pw-small">{what}</span>
              </th>
              <td>{n === null ? "not known" : integer(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > 0 && (
        <table class="pw-exact pw-check">
          <caption class="pw-hidden">Tensors that differ</caption>
          <thead>
            <tr>
              <th scope="col">tensor</th>
              <th scope="col" class="pw-end">
                predicted
              </th>
              <th scope="col" class="pw-end">
                found
              </th>
              <th scope="col" class="pw-end">
                difference
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, predicted, found, cause, note }) => (
              <tr>
                <th scope="row">
                  <code>{name}</code>
                  <br />
                  <span class="pw-small">{[cause, note].filter(Boolean).join(": ")}</span>
                </th>
                <td>{integer(predicted)}</td>
                <td>{integer(found)}</td>
                <td>{signed(found - predicted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {check.problems.map((problem) => (
        <p class="pw-bad">{problem}</p>
      ))}
      <p class="pw-small pw-soft">
        {[check.repo, check.revision && `revision ${check.revision}`].filter(Boolean).join(" · ")}
      </p>
    </div>
  );
}
