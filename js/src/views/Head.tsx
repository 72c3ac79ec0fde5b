/** The model's name, another one in its place, a line to cite, pictures to save, and where the counts come from. */
import { citation } from "../citation";
import { type Child, Fragment, h } from "../dom";
import { meanwhile, more } from "../later";
import { say } from "../say";
import type { ViewProps } from "../scene";
import { Later, Link } from "./bits";

export function Head({ scene }: ViewProps): Child {
  const { wire, now, id, ui, set, copy, kernel } = scene;
  const line = citation(wire, now);
  const copied = ui.copied === line;
  const save = (how: "savePng" | "saveSvg") => {
    const ask = () => {
      set({ unsaved: more ? "" : meanwhile(ask) });
      more?.[how](scene);
    };
    return ask;
  };
  const tool = (text: string, title: string, onclick: () => void) => (
    <button class="pw-link pw-small" title={title} onclick={onclick}>
      {text}
    </button>
  );
  return (
    <header class="pw-head">
      <h3 class="pw-model">{wire.model}</h3>
      <span class="pw-facts">{wire.facts.join(" · ")}</span>
      <span class="pw-head-tools">
        {!kernel.none && (
          <button
            class="pw-link pw-small"
            aria-expanded={ui.picking}
            onclick={({ currentTarget }) => {
              if (!ui.picking) kernel.ask({ do: "catalog" });
              set({ picking: !ui.picking });
              // Once it is drawn, what is typed goes into the box that was opened.
              const head = (currentTarget as HTMLElement).closest("header");
              queueMicrotask(() => head?.querySelector<HTMLInputElement>(".pw-picker input")?.focus());
            }}
          >
            change model
          </button>
        )}
        {/* Both texts keep their room, so that nothing moves when one takes the other's place. */}
        <button class="pw-link pw-small pw-copy" title={line} onclick={() => copy(line)}>
          <span class={copied ? "pw-away" : ""}>copy citation</span>
          <span class={copied ? "" : "pw-away"} aria-hidden="true">
            copied
          </span>
        </button>
        <span class="pw-small">
          save {tool("SVG", "Save the picture as SVG", save("saveSvg"))}{" "}
          {tool("PNG", "Save the picture as PNG", save("savePng"))}
        </span>
        <button
          class="pw-chip pw-small"
          aria-expanded={ui.about}
          aria-controls={`${id}-about`}
          onclick={() => set({ about: !ui.about })}
        >
          {[wire.provenance.label, wire.provenance.pin].filter(Boolean).join(" · ") || "source"}
        </button>
      </span>
      {ui.unsaved && (
        <p class="pw-note pw-small" role="status">
          {ui.unsaved}
        </p>
      )}
      {ui.picking && <div class="pw-note">{more ? <more.Picker {...scene} /> : <Later />}</div>}
      <div class="pw-note pw-small" id={`${id}-about`} hidden={!ui.about}>
        {ui.about && <Provenance scene={scene} />}
      </div>
      {ui.refused && (
        <p class="pw-note pw-small">
          Copy by hand: <span class="pw-citation">{ui.refused}</span>{" "}
          {tool("dismiss", "", () => {
            scene.root.querySelector<HTMLElement>(".pw-copy")?.focus();
            set({ refused: "" });
          })}
        </p>
      )}
    </header>
  );
}

function Provenance({ scene: { wire } }: ViewProps): Child {
  const { text, url, path, fetched, revision } = wire.provenance;
  const kind = [wire.architecture, wire.modelType && `model_type ${wire.modelType}`]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <p>{text || say("unrecorded")}</p>
      <p>
        {[kind, path, revision && `revision ${revision}`, fetched && `read on ${fetched}`]
          .filter(Boolean)
          .join(" · ")}
        {url && [" · ", <Link href={url}>{url}</Link>]}
      </p>
      <p>{wire.defaulted.length === 0 ? say("all_named") : say("defaulted")}</p>
      {wire.defaulted.length > 0 && (
        <ul>
          {wire.defaulted.map(({ key, value, rule }) => (
            <li>
              <code>{key}</code> = {value}
              {rule && ` (${rule})`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
