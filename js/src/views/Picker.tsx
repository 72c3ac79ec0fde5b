/** Another model in place: a bundled one found by its name, any repository id, or a config that is pasted. */
import { h, say, short } from "../core";
import type { Child } from "../dom";
import type { Bundled, Kernel } from "../kernel";
import type { Ui } from "../scene";

// More options than these are narrowed by typing, not by scrolling.
const SHOWN = 60;

export interface PickerProps {
  id: string;
  ui: Ui;
  set(ui: Partial<Ui>): void;
  kernel: Kernel;
  /** bundled models that came with the data */
  bundled?: Bundled[] | undefined;
}

/** Models whose id has every word that was typed. */
function found(models: readonly Bundled[], text: string): Bundled[] {
  const words = text.toLowerCase().split(/\s+/);
  return models.filter(([id]) => words.every((word) => id.toLowerCase().includes(word)));
}

export function Picker({ id, ui, set, kernel, bundled = kernel.catalog }: PickerProps): Child {
  // As Python tells a config from an id.
  const pasted = ui.sought.trim().startsWith("{");
  const all = found(bundled, ui.sought);
  const shown = all.slice(0, SHOWN);
  const option = Math.min(ui.option, shown.length - 1);
  const open = (source: string) => {
    if (source.trim()) kernel.ask({ do: "open", source }, `Counting ${source.slice(0, 60)}`);
  };
  // What was refused is of what was typed before.
  const seek = (sought: string) => {
    kernel.error = "";
    set({ sought, option: -1 });
  };
  const keys = (event: KeyboardEvent) => {
    const { key } = event;
    const to = key === "ArrowDown" ? option + 1 : key === "ArrowUp" ? option - 1 : undefined;
    if (to !== undefined) set({ option: Math.max(-1, Math.min(to, shown.length - 1)) });
    else if (key === "Escape" && ui.sought) seek("");
    else if (key === "Escape") set({ option: -1, picking: false });
    else if (key === "Enter") open(shown[option]?.[0] ?? ui.sought);
    else return;
    event.preventDefault();
  };
  return (
    <div class="pw-picker">
      <label class="pw-field pw-wide">
        <span>{say("pick")}</span>
        <input
          class="pw-input"
          type="text"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-models`}
          aria-autocomplete="list"
          aria-activedescendant={option >= 0 ? `${id}-model-${option}` : undefined}
          aria-describedby={`${id}-found`}
          autocomplete="off"
          spellcheck="false"
          value={ui.sought}
          disabled={!kernel.alive}
          oninput={({ currentTarget }) => seek((currentTarget as HTMLInputElement).value)}
          onkeydown={keys}
        />
      </label>
      <Status kernel={kernel} why={say("count_needs")} />
      <p class="pw-small pw-soft" id={`${id}-found`} role="status">
        {pasted
          ? "A pasted config: Enter counts it."
          : [
              bundled.length > 0 && `${all.length} of ${bundled.length} bundled models`,
              all.length > SHOWN && `, the first ${SHOWN} are listed`,
              ui.sought && shown.length === 0 && ". Enter counts what was typed.",
            ]}
      </p>
      <div class="pw-options" role="listbox" id={`${id}-models`} aria-label="Bundled models" tabindex={-1}>
        {shown.map(([name, stored, active, facts], i) => (
          <div
            key={name}
            role="option"
            tabindex={-1}
            id={`${id}-model-${i}`}
            aria-selected={i === option}
            onclick={() => kernel.alive && open(name)}
          >
            <span>{name}</span>
            <span class="pw-soft pw-small">{facts}</span>
            <span class="pw-number">
              {short(stored)}
              {active !== stored && `, ${short(active)} active`}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** What Python is doing, what it refused, or why it cannot be asked. */
export function Status({ kernel, why }: { kernel: Kernel; why: string }): Child {
  const { alive, doing, done, total, error } = kernel;
  return (
    <div role="status" class="pw-status">
      {error && <p class="pw-bad">{error}</p>}
      {!error && !alive && <p class="pw-soft">{why}</p>}
      {doing && !error && (
        <p>
          {doing} … {total > 0 && <progress max={total} value={done} aria-label={doing} />}
        </p>
      )}
    </div>
  );
}
