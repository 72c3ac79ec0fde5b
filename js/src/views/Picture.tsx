/** Where the parameters are, in model order: all that is stored, and what one token uses drawn larger. */
import { describe, nearestReading, readings, sourceWord } from "../claims";
import { integer, percent, series, short } from "../format";
import { type Picture as Layout, picture, type Run, runs, type Segment } from "../picture";
import type { Scene, ViewProps } from "../scene";
import { roleClass } from "./role";

// About the width of a character of a label, and the steps in which the style sheet knows widths.
const CHARACTER = 6.2;
const FINEST = { step: 5, to: 40 };
const FINE = { step: 10, to: 160 };
const COARSE = { step: 20, to: 480 };

/** Class of a text that is shown only where its stretch has room for it. */
function needs(text: string): string {
  // A few wide letters make more of a difference in a short text.
  const width = text.length * CHARACTER + (text.length < 5 ? 9 : 5);
  const { step, to } = width <= FINEST.to ? FINEST : width <= FINE.to ? FINE : COARSE;
  return `pw-needs-${Math.min(to, Math.ceil(width / step) * step)}`;
}

// Between two texts on one line.
const GAP = "   ";

/** What a part is called where its own label has no room. */
const BRIEF: Record<string, string> = {
  embedding: "embed",
  lm_head: "head",
  per_layer_embedding: "per layer",
  attention: "attn",
  linear_attention: "linear",
  routed_expert: "experts",
  shared_expert: "shared",
};

/** And where not even that has. */
const BRIEFEST: Record<string, string> = { embedding: "emb", per_layer_embedding: "ple" };

export function Picture({ scene }: ViewProps) {
  const { wire, now } = scene;
  const layout = picture(wire, now);
  if (layout.bar.length === 0) return null;
  const sparse = layout.idle.length > 0;
  const share = layout.barSize / layout.wholeSize;
  const style = { "--pw-share": `${(100 * share).toFixed(4)}%` };
  return (
    <figure class="pw-picture" style={style}>
      <figcaption class="pw-hidden">
        Parts of the model in model order; the table below has the same numbers.
      </figcaption>
      <div aria-hidden="true">
        {sparse && <Whole scene={scene} layout={layout} />}
        <Caption scene={scene} layout={layout} sparse={sparse} />
        <div class="pw-bar pw-bar-main">
          {layout.bar.map((segment) => (
            <Stretch key={segment.role} scene={scene} segment={segment} experts={layout.experts} labelled />
          ))}
        </div>
        <Brackets scene={scene} layout={layout} sparse={sparse} />
      </div>
    </figure>
  );
}

/** Everything stored: what a token uses at the left, then what lies idle. */
function Whole({ scene, layout }: ViewProps & { layout: Layout }) {
  const { idle, experts, wholeSize, wholeBasis, bar } = layout;
  const routed = idle.find((s) => s.role === "routed_expert");
  const inExperts = routed ? routed.size + (bar.find((s) => s.role === "routed_expert")?.size ?? 0) : 0;
  const say = [
    `${wholeBasis}: ${percent(inExperts, wholeSize)} in experts`,
    experts && `${experts.all - experts.used} of ${experts.all} idle for a given token`,
    routed && short(routed.size, wholeSize),
  ].filter(Boolean);
  return (
    <div class="pw-bar pw-bar-whole">
      <span class="pw-lit">
        {bar.map((segment) => (
          <Stretch key={segment.role} scene={scene} segment={segment} experts={null} />
        ))}
      </span>
      <span class="pw-rest">
        {idle.map((segment) =>
          segment === routed ? (
            <span
              key="idle"
              class={mark(scene, segment, "pw-stretch pw-idle")}
              style={{ flexGrow: segment.size }}
              title={`${segment.label} that a token does not use: ${integer(segment.size)}`}
              {...pointing(scene, segment.role)}
            >
              <Cells n={segment.cells} />
              <Line class="pw-idle-text" texts={say.map((_, i) => say.slice(0, say.length - i).join(", "))} />
            </span>
          ) : (
            <Stretch key={segment.role} scene={scene} segment={segment} experts={null} idle />
          ),
        )}
      </span>
    </div>
  );
}

/** The band between the bars: how much larger the second is drawn, and the names of parts too small for one. */
function Caption({ scene, layout, sparse }: ViewProps & { layout: Layout; sparse: boolean }) {
  const { bar, small, barSize, wholeSize } = layout;
  if (!sparse && small.length === 0) return <div class="pw-caption pw-caption-bare" />;
  const before = bar.slice(
    0,
    Math.max(
      0,
      bar.findIndex((s) => s.role === small[0]),
    ),
  );
  const at = before.reduce((n, s) => n + s.size, 0) / barSize;
  const names = small.map((role) => scene.wire.roles.find((r) => r.key === role)?.label ?? role);
  const size = bar.filter((s) => small.includes(s.role)).reduce((n, s) => n + s.size, 0);
  const factor = wholeSize / barSize;
  const right = at > 0.5;
  const number = small.length > 0 ? short(size, size < 1e8 ? size : barSize) : "";
  const full = small.length > 0 ? `${series(names)} ${number}` : "";
  const name = sparse ? "active" : scene.now.basis;
  const scale = sparse ? `, × ${factor < 10 ? factor.toFixed(1) : Math.round(factor)}` : "";
  const meaning = sparse ? ": what one token uses" : "";
  // The two texts share one side of the leader's line: each is as long as the room beside the other allows.
  const room = name + scale + GAP;
  return (
    <div class={`pw-caption${right ? " pw-caption-mirrored" : ""}`}>
      {sparse && <span class="pw-wedge" />}
      <span class="pw-side" style={right ? { width: `${100 * at}%` } : { left: `${100 * at}%` }}>
        {full && (
          <span class="pw-leader" title={`${series(names)}: ${integer(size)}`}>
            <Line class="" texts={[full, number]} beside={room} />
          </span>
        )}
        <span class="pw-scale pw-line">
          <span class={needs(room + meaning + full)}>
            <b>{name}</b>
            {scale}
            {meaning}
          </span>
          <span class={needs(name + scale)}>
            <b>{name}</b>
            {scale}
          </span>
        </span>
      </span>
    </div>
  );
}

function Stretch({
  scene,
  segment,
  experts,
  labelled = false,
  idle = false,
}: ViewProps & { segment: Segment; experts: Layout["experts"]; labelled?: boolean; idle?: boolean }) {
  const { role, label, size, counted, out, cells } = segment;
  const number = out ? "left out" : short(counted, scene.total);
  const brief = BRIEF[role] ?? label;
  const long = experts && role === "routed_expert" ? `${label}, ${experts.used} of ${experts.all}` : label;
  return (
    <span
      class={mark(scene, segment, `pw-stretch ${roleClass(role)}`)}
      style={{ flexGrow: size }}
      title={
        idle
          ? `${label} that a token does not use: ${integer(size)}`
          : `${label}: ${out ? `${integer(size)}, left out` : integer(counted)}`
      }
      {...pointing(scene, role)}
    >
      {cells > 1 && <Cells n={cells} />}
      {labelled && (
        <>
          <Line class="pw-stretch-text" texts={[...new Set([long, label, brief, BRIEFEST[role] ?? brief])]} />
          {/* A number says nothing where its name has no room. */}
          <Line class="pw-stretch-number" texts={[number]} atLeast={brief} />
        </>
      )}
    </span>
  );
}

interface LineProps {
  class: string;
  texts: readonly string[];
  /** a text that must have room too */
  atLeast?: string;
  /** a text that stands beside it */
  beside?: string;
}

/** The longest of some texts that has room; none where not even the shortest fits. */
const Line = ({ class: name, texts, atLeast = "", beside = "" }: LineProps) => (
  <span class={`pw-line ${name}`}>
    {texts.map((text) => (
      <span key={text} class={needs((text.length < atLeast.length ? atLeast : text) + beside)}>
        {text}
      </span>
    ))}
  </span>
);

/** One cell for each expert of a layer. */
const Cells = ({ n }: { n: number }) => (
  <span class="pw-cells" style={{ backgroundSize: `${100 / n}% 100%` }} />
);

/** Below the bar: what the printed number counts, and what it does not. */
function Brackets({ scene, layout, sparse }: ViewProps & { layout: Layout; sparse: boolean }) {
  const { wire, claim, now } = scene;
  const reading = claim && nearestReading(wire, claim, now);
  if (!claim || !reading || (sparse && reading.basis !== "active"))
    // Its place stays while another claim may be chosen, so that nothing below jumps.
    return wire.claims.length > 0 ? <div class="pw-brackets" /> : null;
  // Of several readings none is said to be the source's own: the number cannot tell.
  const said =
    readings(wire, claim).length > 1
      ? `${sourceWord(claim)}, ${describe(wire, reading, true)}`
      : `what the ${sourceWord(claim)} counts`;
  const found = runs(wire, layout.bar, reading);
  if (found.length === 0) return <div class="pw-brackets" />;
  const longest = found.reduce<Run | null>(
    (best, run) => (run.counted && run.size > (best?.size ?? 0) ? run : best),
    null,
  );
  return (
    <div class="pw-brackets">
      {found.map((run, i) => {
        const long = run === longest ? `${claim.number}: ${said}` : "";
        const text =
          run === longest ? claim.number : run.counted ? "" : `+ ${short(run.size, layout.barSize)}`;
        return (
          <span
            key={i}
            class={`pw-bracket${run.counted ? "" : " pw-bracket-out"}`}
            style={{ flexGrow: run.size }}
            title={`${integer(run.size)} ${run.counted ? "counted" : "not counted"} by this reading`}
          >
            <Line class="pw-bracket-text" texts={[long, text].filter(Boolean)} />
          </span>
        );
      })}
    </div>
  );
}

const mark = (scene: Scene, segment: Segment, base: string): string =>
  `${base}${segment.out ? " pw-out" : ""}${scene.hot === segment.role ? " pw-hot" : ""}`;

const pointing = (scene: Scene, role: string) => ({
  onMouseEnter: () => scene.point(role),
  onMouseLeave: () => scene.point(""),
  // The picture is for the eye and the pointer; the ledger has the same for keyboards.
  onClick: () => scene.seek(role),
});
