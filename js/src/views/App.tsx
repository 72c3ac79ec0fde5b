/** One view of a model's parameters: what is read first, and, `whole`, the view that the reader chose. */
import { type Child, h } from "../dom";
import type { ViewProps } from "../scene";
import { Basis } from "./Basis";
import { Claim } from "./Claim";
import { Head } from "./Head";
import { VIEWS } from "./list";
import { Picture } from "./Picture";
import { Sentence } from "./Sentence";

export function App({ scene, whole }: ViewProps & { whole: boolean }): Child {
  const { wire, id, choice } = scene;
  const open = VIEWS.find(({ key }) => key === choice.view) ?? VIEWS[0];
  return (
    <section class="pw-view" aria-label={`Parameters of ${wire.model}`}>
      <Head scene={scene} />
      <Sentence scene={scene} />
      <div class="pw-top">
        <Basis scene={scene} />
        <Claim scene={scene} />
      </div>
      <Picture scene={scene} />
      <div
        class="pw-tabs"
        role="tablist"
        aria-label="Views"
        onkeydown={(event) => step(event, scene, open.key)}
      >
        {VIEWS.map(({ key, label, figure }) => (
          <button
            role="tab"
            key={key}
            id={`${id}-tab-${key}`}
            aria-selected={key === open.key}
            aria-controls={key === open.key ? `${id}-panel` : undefined}
            tabindex={key === open.key ? 0 : -1}
            onclick={() => scene.choose({ view: key })}
          >
            {label} <span class="pw-soft pw-small">{figure(scene)}</span>
          </button>
        ))}
      </div>
      <div
        key={open.key}
        class={`pw-panel pw-panel-${open.key}`}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${open.key}`}
      >
        {whole && <open.View scene={scene} />}
      </div>
    </section>
  );
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Arrows open the next view and go there; Home and End the first and the last. */
function step(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  { id, choose }: ViewProps["scene"],
  key: string,
) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const at = VIEWS.findIndex((view) => view.key === key) + (STEPS[event.key] ?? 0);
  const to =
    event.key === "Home" ? 0 : event.key === "End" ? VIEWS.length - 1 : event.key in STEPS ? at : null;
  const next = to !== null && VIEWS[(to + VIEWS.length) % VIEWS.length];
  if (!next) return;
  event.preventDefault();
  choose({ view: next.key });
  event.currentTarget.querySelector<HTMLElement>(`[id="${id}-tab-${next.key}"]`)?.focus();
}
