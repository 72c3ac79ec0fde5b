/** The stack as it is: what each layer mixes and feeds forward, how large it is, and which layers are alike. */
import { Fragment, Grid, h, integer, labelOf, layersText, Num, roleClass, Swatch, say } from "../core";
import type { Child } from "../dom";
import type { ViewProps } from "../scene";
import { type Kind, type Stack, stacks } from "../stack";

/** Letters stand in the cells, as meaning is never in the colour alone. */
const LETTERS: Record<string, [letter: string, role: string]> = {
  full: ["F", "attention"],
  sliding: ["S", "attention"],
  chunked: ["C", "attention"],
  mla: ["M", "attention"],
  compressed: ["W", "attention"],
  cross: ["X", "attention"],
  linear: ["L", "linear_attention"],
  ssm: ["R", "ssm"],
  dense: ["D", "mlp"],
  moe: ["E", "routed_expert"],
};

/** One thing that a layer does: its letter, the classes and the role of its cell, its words. */
type Step = [letter: string, look: string, role: string, text: string];

const step = (key: string, more = "", mark = ""): Step[] => {
  const [letter, role] = LETTERS[key] ?? [];
  return role ? [[letter + mark, `pw-mix-${key} ${roleClass(role)}`, role, say(key) + more]] : [];
};

/** What a layer mixes, from first to last; a prime marks the cache of an earlier layer. */
const mixing = ({ mixer, window, shared, across }: Kind): Step[] => [
  ...step(
    mixer,
    (window ? ` of ${integer(window)}` : "") + (shared ? `, ${say("shared")}` : ""),
    shared ? "′" : "",
  ),
  ...(across === null ? [] : step("cross", across ? ` to ${integer(across)} tokens` : "")),
];

/** All that it does; of the layers of a tower no more is known than that they are layers. */
const stepsOf = (kind: Kind): Step[] => [...mixing(kind), ...step(kind.ffn)];

const Cell = ({ of: [letter, look, role] }: { of: Step }): Child => (
  <span class={`pw-mixer ${look}`} data-role={role}>
    {letter}
  </span>
);

// Pixels of a layer, at most: a stack of four is not as wide as one of sixty.
const WIDEST = 26;
// Pixels of a mixer's height, as the style sheet has them.
const MIXER = 16;

export function Layers({ scene }: ViewProps): Child {
  const all = stacks(scene.wire, scene.now);
  if (all.length === 0) return <p class="pw-soft">{say("no_layers")}</p>;
  return all.map((stack) => <OneStack key={stack.key} scene={scene} stack={stack} />);
}

function OneStack({ scene, stack }: ViewProps & { stack: Stack; key: string }): Child {
  const { now, id } = scene;
  const largest = Math.max(...stack.kinds.map(({ size }) => size), 1);
  // Layers that mix less have room left there, so that what is alike is side by side.
  const most = Math.max(...stack.kinds.map((kind) => mixing(kind).length));
  const cell = (index: number, kind: Kind) => {
    const mixed = mixing(kind);
    const fed = step(kind.ffn);
    const words = stepsOf(kind)
      .map(([, , , text]) => text)
      .join(" + ");
    return (
      <span class="pw-layer" title={`layer ${index}: ${words}, ${integer(kind.size)} ${now.basis}`}>
        <span class="pw-mixing" style={`height:${MIXER * most}px`}>
          {mixed.map((of) => (
            <Cell of={of} />
          ))}
        </span>
        <span class="pw-column">
          {kind.parts.map(([role, n]) => (
            <i class={roleClass(role)} style={`height:${(100 * n) / largest}%`} data-role={role} />
          ))}
        </span>
        {fed.map((of) => (
          <Cell of={of} />
        ))}
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
              {integer(kind.count)} ×{" "}
              {stepsOf(kind).map((of, i) => (
                <>
                  {i > 0 && " + "}
                  <Cell of={of} /> {of[3]}
                </>
              ))}
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
