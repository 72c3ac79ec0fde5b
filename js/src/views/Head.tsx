/** The model's name, a line to cite, and where the counts come from. */
import { useState } from "preact/hooks";
import { citation } from "../citation";
import type { ViewProps } from "../scene";
import { webAddress } from "../wire";

export function Head({ scene }: ViewProps) {
  const { wire, now, id } = scene;
  const [open, setOpen] = useState(false);
  const [cited, setCited] = useState({ line: "", copied: false });
  const line = citation(wire, now);

  async function copy() {
    let copied = true;
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      // Frames often may not write to the clipboard: the line is shown to be copied by hand.
      copied = false;
    }
    setCited({ line, copied });
  }

  return (
    <header class="pw-head">
      <h3 class="pw-model">{wire.model}</h3>
      <span class="pw-facts">{wire.facts.join(" · ")}</span>
      <span class="pw-head-tools">
        <button type="button" class="pw-link pw-small" title={line} onClick={copy}>
          copy citation
        </button>
        <button
          type="button"
          class="pw-chip pw-small"
          aria-expanded={open}
          aria-controls={`${id}-provenance`}
          onClick={() => setOpen(!open)}
        >
          {[wire.provenance.label, wire.provenance.pin].filter(Boolean).join(" · ") || "source"}
        </button>
      </span>
      <div class="pw-note pw-small" id={`${id}-provenance`} hidden={!open}>
        <Provenance scene={scene} />
      </div>
      <p class={cited.line === line ? "pw-note pw-small" : "pw-hidden"} role="status">
        {cited.line === line && `${cited.copied ? "Copied: " : "Copy by hand: "}${line}`}
      </p>
    </header>
  );
}

function Provenance({ scene: { wire } }: ViewProps) {
  const { text, url, path, fetched, revision } = wire.provenance;
  const link = webAddress(url);
  const kind = [wire.architecture, wire.modelType && `model_type ${wire.modelType}`]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <p>{text || "Where the config was read is not recorded."}</p>
      <p>
        {[kind, path, revision && `revision ${revision}`, fetched && `read on ${fetched}`]
          .filter(Boolean)
          .join(" · ")}
        {link && " · "}
        {link && (
          <a class="pw-link" href={link} target="_blank" rel="noreferrer">
            {link}
          </a>
        )}
      </p>
      <p>
        {wire.defaulted.length === 0
          ? "Every dimension is named by the config; none was taken from a default."
          : "Not in the config, taken from the defaults of its class:"}
      </p>
      {wire.defaulted.length > 0 && (
        <ul>
          {wire.defaulted.map(({ key, value, rule }) => (
            <li key={key}>
              <code>{key}</code> = {value}
              {rule && ` (${rule})`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
