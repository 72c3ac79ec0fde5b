/** What the present total is made of: experts + everything else + tables. */
import { buildUp } from "../buildup";
import type { ViewProps } from "../scene";
import { Equation } from "./Equation";

export function BuildUp({ scene }: ViewProps) {
  const { wire, now, id } = scene;
  const terms = buildUp(wire, now);
  if (terms.length === 0) return null;
  return (
    <div class="pw-build-up">
      <Equation
        id={`${id}-build-up`}
        title={`What the ${now.basis} count is made of`}
        rows={terms}
        result={{ label: now.basis, n: scene.total }}
        named
      />
    </div>
  );
}
