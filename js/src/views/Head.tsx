/** The model's name, a line to cite, and where the counts come from. */
import { useEffect, useRef, useState } from "preact/hooks";
import { citation } from "../citation";
import type { ViewProps } from "../scene";
import { webAddress } from "../wire";

// How long a copy is confirmed.
const COPIED_MS = 2500;

export function Head({ scene }: ViewProps) {
  const { wire, now, id } = scene;
  const [open, setOpen] = useState(false);
  const [copied, setCopied] = useState<"" | "yes" | "refused">("");
  const button = useRef<HTMLButtonElement>(null);
  const line = citation(wire, now);

  async function copy() {
    try {
      await navigator.clipboard.writeText(line);
      setCopied("yes");
    } catch {
      // Frames often may not write to the clipboard: the line is shown to be copied by hand.
      setCopied("refused");
    }
  }
  useEffect(() => {
    if (copied !== "yes") return;
    const timer = setTimeout(() => setCopied(""), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  return (
    <header class="pw-head">
      <h3 class="pw-model">{wire.model}</h3>
      <span class="pw-facts">{wire.facts.join(" · ")}</span>
      <span class="pw-head-tools">
        {/* Both texts keep their room, so that nothing moves when one takes the other's place. */}
        <button type="button" class="pw-link pw-small pw-copy" title={line} onClick={copy} ref={button}>
          <span class={copied === "yes" ? "pw-away" : ""}>copy citation</span>
          <span class={copied === "yes" ? "" : "pw-away"} aria-hidden="true">
            copied
          </span>
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
      <span class="pw-hidden" role="status" aria-live="polite">
        {copied === "yes" && "Citation copied."}
        {copied === "refused" && "The browser allows no copying here: the citation is shown."}
      </span>
      {copied === "refused" && (
        <p class="pw-note pw-small">
          Copy by hand: <span class="pw-citation">{line}</span>{" "}
          <button
            type="button"
            class="pw-link"
            onClick={() => {
              button.current?.focus();
              setCopied("");
            }}
          >
            dismiss
          </button>
        </p>
      )}
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
