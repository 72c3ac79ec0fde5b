/** The stack as it is: what each layer mixes and feeds forward, how large it is, and which layers are alike. */
import { Fragment, Grid, h, integer, labelOf, layersText, Num, roleClass, Swatch, say } from "../core";
import type { Child } from "../dom";
import type { ViewProps } from "../scene";
import { type Kind, type Stack, stacks } from "../stack";

/** Letters stand in the cells, as meaning is never in the colour alone. */
const MIXERS: Record<string, [letter: string, role: string]> = {
  full: ["F", "attention"],
  sliding: ["S", "attention"],
  chunked: ["C", "attention"],
  mla: ["M", "attention"],
  linear: ["L", "linear_attention"],
  ssm: ["X", "ssm"],
};
const FFNS: Record<string, [letter: string, role: string]> = {
  dense: ["D", "mlp"],
  moe: ["E", "routed_expert"],
};
export const kindText = ({ mixer, ffn, window }: Kind): string =>
  [
    MIXERS[mixer] && say(mixer),
    window && `of ${integer(window)}`,
    MIXERS[mixer] && FFNS[ffn] && "+",
    FFNS[ffn] && say(ffn),
  ]
    .filter(Boolean)
    .join(" ");

// Pixels of a layer, at most: a stack of four is not as wide as one of sixty.
const WIDEST = 26;

export function Layers({ scene }: ViewProps): Child {
  const all = stacks(scene.wire, scene.now);
  if (all.length === 0) return <p class="pw-soft">{say("no_layers")}</p>;
  return all.map((stack) => <OneStack key={stack.key} scene={scene} stack={stack} />);
}

function OneStack({ scene, stack }: ViewProps & { stack: Stack; key: string }): Child {
  const { now, id } = scene;
  const largest = Math.max(...stack.kinds.map(({ size }) => size), 1);
  const known = stack.kinds.some(({ mixer }) => mixer);
  const cell = (index: number, kind: Kind) => {
    const [mixer, mixRole] = MIXERS[kind.mixer] ?? ["", ""];
    const [ffn, ffnRole] = FFNS[kind.ffn] ?? ["", ""];
    return (
      <span class="pw-layer" title={`layer ${index}: ${kindText(kind)}, ${integer(kind.size)} ${now.basis}`}>
        {known && (
          <span
            class={`pw-mixer pw-mix-${kind.mixer} ${roleClass(mixRole)}`}
            data-role={mixRole || undefined}
          >
            {mixer}
          </span>
        )}
        <span class="pw-column">
          {kind.parts.map(([role, n]) => (
            <i class={roleClass(role)} style={`height:${(100 * n) / largest}%`} data-role={role} />
          ))}
        </span>
        {known && (
          <span class={`pw-mixer pw-mix-${kind.ffn} ${roleClass(ffnRole)}`} data-role={ffnRole || undefined}>
            {ffn}
          </span>
        )}
      </span>
    );
  };
  return (
    <section class="pw-stack" aria-labelledby={`${id}-stack-${stack.key}`}>
      <h4 id={`${id}-stack-${stack.key}`}>
        {stack.label}: {integer(stack.count)} {stack.count === 1 ? "layer" : "layers"},{" "}
        {stack.size > 0 ? [<Num n={stack.size} />, ` ${now.basis}`] : "left out"}
      </h4>
      {stack.size > 0 && [
        <div class="pw-strip-band" style={`max-width:${WIDEST * stack.count}px`} aria-hidden="true">
          <div class={`pw-strip${stack.count > 24 ? " pw-many" : ""}`}>
            {stack.order.map(([index, kind]) => cell(index, kind))}
          </div>
          <p class="pw-strip-ends pw-small pw-soft">
            <span>layer {stack.order[0]?.[0]}</span>
            <span>{stack.count > 1 && stack.order.at(-1)?.[0]}</span>
          </p>
        </div>,
        <Grid
          caption={say("alike")}
          head={["alike", "one layer", "all of them"]}
          rows={stack.kinds.map((kind) => [
            <>
              <b class="pw-letters">
                {MIXERS[kind.mixer]?.[0]}
                {FFNS[kind.ffn]?.[0]}
              </b>{" "}
              {integer(kind.count)} × {kindText(kind) || "layers"}
              <span class="pw-small"> {layersText(kind.layers)}</span>
              <span class="pw-recipe">
                {kind.parts.map(([role, n]) => (
                  <span class="pw-made" data-role={role}>
                    <Swatch role={role} /> {labelOf(scene.wire.roles, role)} <Num n={n} />
                  </span>
                ))}
              </span>
            </>,
            integer(kind.size),
            integer(kind.size * kind.count),
          ])}
        />,
      ]}
    </section>
  );
}
