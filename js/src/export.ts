/** The picture as a file: an SVG of its own text, shapes and colours, and the same as PNG. Nothing is asked for. */
import {
  citation,
  describe,
  idleText,
  integer,
  litText,
  percent,
  picture,
  roleClass,
  say,
  sizeOf,
} from "./core";
import type { Segment } from "./picture";
import type { Scene } from "./scene";

const WIDTH = 960;
const PAD = 24;
const INNER = WIDTH - 2 * PAD;
// PNG pixels for one of the SVG's.
const SHARP = 2;
// The height of the bar that has no labels, and the room that a letter of one takes.
const BAR = 24;
const EM = 8;
const LETTER = 0.55;
const END = 'text-anchor="end"';
const BOLD = 'font-weight="600"';

const safe = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\p{Cc}/gu, " ");

/** Colours as the style sheet has them now, so that a dark view gives a dark picture. */
function colours({ root }: Scene) {
  const probe = root.appendChild(root.ownerDocument.createElement("i"));
  const read = (name: string, property: string) => {
    probe.className = name;
    return getComputedStyle(probe).getPropertyValue(property).trim();
  };
  return {
    ground: read("", "--pw-ground"),
    text: read("", "--pw-text"),
    idle: read("", "--pw-idle"),
    idleText: read("", "--pw-idle-text"),
    hue: (role: string) => read(roleClass(role), "--pw-hue"),
    ink: (role: string) => read(roleClass(role), "--pw-ink"),
    done: () => probe.remove(),
  };
}

export function toSvg(scene: Scene): string {
  const { wire, now } = scene;
  const paint = colours(scene);
  const layout = picture(wire, now);
  const shapes: string[] = [];
  let y = PAD;
  const text = (x: number, words: string, size = 12, more = "", fill = paint.text) =>
    shapes.push(
      `<text x="${x}" y="${y}" font-size="${size}" fill="${safe(fill)}" ${more}>${safe(words)}</text>`,
    );
  // A part that is left out keeps its outline.
  const rect = (x: number, top: number, width: number, height: number, fill: string, out?: boolean) =>
    shapes.push(
      `<rect x="${(x + 0.5).toFixed(2)}" y="${top + 0.5}" width="${Math.max(width - 2, 0).toFixed(2)}" height="${height - 1}" fill="${safe(out ? paint.ground : fill)}" stroke="${safe(fill)}"/>`,
    );
  const label = (x: number, part: Segment) => {
    y += 21;
    text(x + 6, part.label, 12, "", part.out ? paint.text : paint.ink(part.role));
    y -= 21;
  };
  const bar = (parts: readonly Segment[], height: number, idle: readonly Segment[] = []) => {
    let x = PAD;
    const whole = sizeOf(parts) + sizeOf(idle);
    for (const part of [...parts, ...idle]) {
      const width = (INNER * part.size) / whole;
      const hue = idle.includes(part) ? paint.idle : paint.hue(part.role);
      rect(x, y, width, height, hue, part.out);
      if (height > BAR && width > EM * part.label.length) label(x, part);
      x += width;
    }
  };

  // As wide as the picture at most, by what a letter takes of its size; broken between parts, else words, else anywhere.
  const lines = (words: string, size: number, more = "") => {
    const most = `.{1,${Math.floor(INNER / LETTER / size)}}`;
    for (const line of words.match(RegExp(`${most}(, |$)|${most}( |$)|${most}`, "gsu")) ?? []) {
      text(PAD, line, size, more);
      y += size + 5;
    }
  };

  y += 12;
  lines([wire.model, ...wire.facts].join(" · "), 15, BOLD);
  y += 4;
  lines(scene.root.querySelector(".pw-sentence")?.textContent ?? "", 14);
  lines(`${now.basis}, ${describe(wire, now)}: ${say(now.basis)}`, 11);
  y -= 4;
  if (layout.lit.length > 0) {
    bar(layout.lit, BAR, layout.idle);
    y += 16;
    text(PAD + INNER - 6, idleText(layout), 11, END, paint.idleText);
    y += 26;
    lines(now.basis + litText(layout, now.basis), 11);
    y -= 10;
  }
  bar(layout.bar, 34);
  y += 54;
  // Every part has its line: also the one that is too narrow to see.
  for (const part of layout.bar) {
    rect(PAD, y - 10, 11, 11, paint.hue(part.role), part.out);
    text(PAD + 18, part.label);
    text(PAD + 420, part.out ? "left out" : integer(part.counted), 12, END);
    text(PAD + 500, part.out ? "" : percent(part.counted, scene.total), 12, END);
    y += 18;
  }
  text(PAD + 18, now.basis, 12, BOLD);
  text(PAD + 420, integer(scene.total), 12, `${END} ${BOLD}`);
  y += 23;
  lines(citation(wire, now), 10);
  paint.done();
  const height = y;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, Helvetica, Arial, sans-serif"><title>${safe(`Parameters of ${wire.model}`)}</title><rect width="100%" height="100%" fill="${safe(paint.ground)}"/>${shapes.join("")}</svg>`;
}

function save({ root, wire }: Scene, blob: Blob, ending: string): void {
  const link = root.ownerDocument.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${wire.model.replace(/[^\w.-]+/g, "-")}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const saveSvg = (scene: Scene): void =>
  save(scene, new Blob([toSvg(scene)], { type: "image/svg+xml" }), "svg");

export function savePng(scene: Scene): void {
  const failed = () => scene.set({ unsaved: say("no_png") });
  const image = new Image();
  image.onload = () => {
    const canvas = scene.root.ownerDocument.createElement("canvas");
    canvas.width = SHARP * image.width;
    canvas.height = SHARP * image.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => (blob ? save(scene, blob, "png") : failed()));
  };
  image.onerror = failed;
  image.src = `data:image/svg+xml,${encodeURIComponent(toSvg(scene))}`;
}
