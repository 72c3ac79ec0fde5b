/** Arrow keys in a group of radios. */
import type { TargetedKeyboardEvent } from "preact";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrow keys move the choice here, not in the browser: a host may have taken the browser's own step away. */
export function step<T extends string>(
  event: TargetedKeyboardEvent<HTMLFieldSetElement>,
  choices: readonly T[],
  now: T,
  choose: (next: T) => void,
): void {
  const by = STEPS[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  const next = choices[(choices.indexOf(now) + by + choices.length) % choices.length];
  if (!next) return;
  event.currentTarget.querySelector<HTMLInputElement>(`input[value=${next}]`)?.focus();
  choose(next);
}
