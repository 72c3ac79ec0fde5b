/** Where the parameters are, in model order: all that is stored, and the parts on the reader's basis drawn larger. */
import { nearestReading, sourceWord } from "../claims";
import { type Child, h } from "../dom";
import { integer, percent, short } from "../format";
import {
  idleText,
  isRouted,
  type Picture as Layout,
  litText,
  picture,
  type Segment,
  sizeOf,
} from "../picture";
import { say } from "../say";
import type { ViewProps } from "../scene";
import { labelOf, out, total } from "../sum";
import { Label, Num, Swatch } from "./bits";
import { roleClass } from "./role";

export function Picture({ scene }: ViewProps): Child {
  const { wire, now, claim } = scene;
  const layout = picture(wire, now);
  const { bar, lit } = layout;
  if (bar.length === 0) return null;
  const share = sizeOf(lit) / total(wire, { basis: layout.wholeBasis, off: [], on: now.on });
  const zoomed = lit.length > 0 && now.basis === "active";
  // What the claim counts of the bar, as its nearest reading has it.
  const reading = claim && nearestReading(wire, claim, now);
  const unread = reading?.basis === now.basis ? out(wire, reading) : null;
  return (
    <figure class="pw-picture" style={`--pw-share:${(100 * share).toFixed(4)}%`}>
      <figcaption class="pw-hidden">{say("picture")}</figcaption>
      <div aria-hidden="true" data-pick="">
        {lit.length > 0 && <Whole layout={layout} />}
        {lit.length > 0 && (
          <div class={`pw-caption${zoomed ? " pw-wedge" : ""}`}>
            <b>{now.basis}</b>
            {litText(layout, now.basis)}
          </div>
        )}
        <div class="pw-bar pw-bar-main">
          {bar.map((part) => (
            <Stretch key={part.role} part={part} claimed={unread && !unread.has(part.role)}>
              <Label>
                {part.label}
                {part.cells > 1 &&
                  layout.experts &&
                  (zoomed ? `, ${part.cells} of ${layout.experts.all}` : `, ${part.cells}`)}
              </Label>
              <Label>{part.out ? "left out" : short(part.counted, scene.total)}</Label>
            </Stretch>
          ))}
        </div>
        {unread && claim && (
          <div class="pw-claimed">
            {claim.number}: what the {sourceWord(claim)} counts
          </div>
        )}
      </div>
      <Readout scene={scene} bar={bar} />
    </figure>
  );
}

/** The selected part in exact integers; without one, the parts: fit.ts hides those whose label has room in the bar. */
function Readout({ scene, bar }: ViewProps & { bar: Segment[] }): Child {
  const { wire, now, choice } = scene;
  const part = choice.selected;
  const own = wire.tensors.filter((t) => t.role === part || t.name === part);
  const some = { ...wire, tensors: own };
  return (
    <p class="pw-readout pw-small" role="status">
      {own.length === 0
        ? bar.map(({ role, label, counted, out }) => (
            <span data-role={role}>
              <Swatch role={role} out={out} /> {label}{" "}
              {out ? "left out" : <Num n={counted} text={short(counted, scene.total)} />}
            </span>
          ))
        : [
            <b>{labelOf(wire.roles, part ?? "")}</b>,
            say(
              "part_counts",
              integer(total(some, { ...now, basis: "stored" })),
              integer(total(some, { ...now, basis: "active" })),
              percent(total(some, now), scene.total),
            ),
            <button class="pw-link" onclick={() => scene.choose({ selected: null })}>
              clear
            </button>,
          ]}
    </p>
  );
}

/** Everything stored: what a token uses at the left, then what lies idle. */
function Whole({ layout }: { layout: Layout }): Child {
  const { idle, lit } = layout;
  return (
    <div class="pw-bar pw-bar-whole">
      <span class="pw-lit">
        {lit.map((part) => (
          <Stretch key={part.role} part={part} />
        ))}
      </span>
      <span class="pw-rest">
        {idle.map((part) => (
          <Stretch key={part.role} part={part} idle={isRouted(part)}>
            {isRouted(part) && <Label>{idleText(layout).split(/(?=, )/)}</Label>}
          </Stretch>
        ))}
      </span>
    </div>
  );
}

interface StretchProps {
  key: string;
  part: Segment;
  idle?: boolean;
  /** whether the claim counts it, where that can be said */
  claimed?: boolean | null;
  children?: Child;
}

const Stretch = ({ part, idle, claimed, children }: StretchProps): Child => (
  <span
    key={part.role}
    class={`pw-stretch ${idle ? "pw-idle" : roleClass(part.role)}${part.out ? " pw-out" : ""}${claimed ? " pw-in-claim" : claimed === false ? " pw-not-in-claim" : ""}`}
    style={`flex-grow:${part.size}`}
    data-role={part.role}
    title={`${part.label}${idle ? say("unused") : ""}: ${integer(part.size)}${part.out ? ", left out" : ""}`}
  >
    {part.cells > 1 && <span class="pw-cells" style={`background-size:${100 / part.cells}% 100%`} />}
    {children}
  </span>
);
