/** The counts against the files: checkpoint minus config in exact integers, each difference with its cause. */
import { Fragment, Grid, h, integer, say, signed } from "../core";
import type { Child } from "../dom";
import type { ViewProps } from "../scene";
import { Status } from "./Picker";

export function Check({ scene }: ViewProps): Child {
  const { wire, checker: kernel, id } = scene;
  const { check } = wire;
  return (
    <div>
      {kernel.none ? (
        <p>
          {say("check")}: <code>paramwidget check {wire.model}</code>
        </p>
      ) : (
        <>
          <p>
            <button
              class="pw-chip"
              disabled={!kernel.alive || kernel.doing !== ""}
              aria-describedby={`${id}-why`}
              onclick={() => kernel.ask({ do: "check" }, say("reading"))}
            >
              {check ? "Compare again" : say("check")}
            </button>{" "}
            <span class="pw-soft" id={`${id}-why`}>
              {say("headers")}
            </span>
          </p>
          <Status kernel={kernel} why={say("check_needs")} />
        </>
      )}
      {!check && !kernel.doing && <p>{say("unchecked")}</p>}
      {check && <Result scene={scene} />}
    </div>
  );
}

const known = (n: number): string => (n < 0 ? "not known" : integer(n));

function Result({ scene: { wire } }: ViewProps): Child {
  const { check } = wire;
  if (!check) return null;
  const { unexplained, rows, repo, revision } = check;
  const differ = rows.filter(({ predicted, found }) => predicted !== found);
  return (
    <>
      <p class={unexplained ? "pw-bad" : "pw-fit-match"} role="status">
        {unexplained
          ? say("unexplained", integer(unexplained))
          : say(differ.length ? "explained" : "predicted")}
      </p>
      <Grid
        caption="The three figures"
        rows={[
          [say("config"), integer(check.predicted)],
          [say("files"), known(check.foundParameters)],
          [say("scales"), known(check.foundScales)],
          [say("hub"), known(check.hubTotal)],
        ]}
      />
      {rows.length > 0 && (
        <Grid
          caption="Config and files, part by part"
          head={["part", "config", "files", "difference"]}
          rows={rows.map(({ name, predicted, found, cause, note }) => [
            <>
              <code>{name}</code> <span class="pw-small">{[cause, note].filter(Boolean).join(": ")}</span>
            </>,
            integer(predicted),
            integer(found),
            found === predicted ? "0" : signed(found - predicted),
          ])}
        />
      )}
      {check.problems.map((problem) => (
        <p class="pw-bad">{problem}</p>
      ))}
      <p class="pw-small pw-soft">
        {repo} {revision && `revision ${revision}`}
      </p>
    </>
  );
}
