/** The picture as a file: an SVG of its own text, shapes and colours, and the same as PNG. Nothing is asked for. */
import {
  allDepartures,
  citation,
  claimText,
  integer,
  percent,
  picture,
  roleClass,
  short,
  sizeOf,
  total,
} from "./core";
import type { Segment } from "./picture";
import type { Scene } from "./scene";

const WIDTH = 960;
const PAD = 24;
const INNER = WIDTH - 2 * PAD;
// PNG pixels for one of the SVG's.
const SHARP = 2;

const safe = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\p{Cc}/gu, " ");

/** Colours as the style sheet has them now, so that a dark view gives a dark picture. */
function colours({ root }: Scene) {
  const probe = root.appendChild(root.ownerDocument.createElement("i"));
  const read = (name: string, property: string) => {
    probe.className = name;
    return getComputedStyle(probe).getPropertyValue(property).trim();
  };
  const found = {
    ground: read("", "--pw-ground") || "#fff",
    text: read("", "--pw-text") || "#000",
    idle: read("", "--pw-idle") || "#ddd",
    hue: (role: string) => read(roleClass(role), "--pw-hue") || "#888",
    ink: (role: string) => read(roleClass(role), "--pw-ink") || "#000",
    done: () => probe.remove(),
  };
  return found;
}

export function toSvg(scene: Scene): string {
  const { wire, now } = scene;
  const paint = colours(scene);
  const layout = picture(wire, now);
  const shapes: string[] = [];
  let y = PAD;
  const text = (x: number, words: string, size = 12, more = "") =>
    shapes.push(`<text x="${x}" y="${y}" font-size="${size}" ${more}>${safe(words)}</text>`);
  const rect = (x: number, top: number, width: number, height: number, fill: string) =>
    shapes.push(
      `<rect x="${x.toFixed(2)}" y="${top}" width="${Math.max(width, 1).toFixed(2)}" height="${height}" fill="${safe(fill)}" stroke="${safe(paint.ground)}" stroke-width=".5"/>`,
    );
  const bar = (parts: readonly Segment[], height: number, idle: readonly Segment[] = []) => {
    let x = PAD;
    const whole = sizeOf(parts) + sizeOf(idle);
    for (const part of [...parts, ...idle]) {
      const width = (INNER * part.size) / whole;
      rect(
        x,
        y,
        width,
        height,
        idle.includes(part) ? paint.idle : part.out ? paint.ground : paint.hue(part.role),
      );
      x += width;
    }
  };

  y += 12;
  text(PAD, wire.model, 15, 'font-weight="600"');
  y += 24;
  const departs = allDepartures(wire, now);
  const said = (["stored", "active"] as const).map(
    (basis) => `${short(total(wire, { ...now, basis }))} ${basis}`,
  );
  const claim = wire.headline ? ` (${claimText(wire, wire.headline, now)})` : "";
  text(PAD, `${said.join(", ")}${departs && ` with ${departs}`}${claim}`, 14);
  y += 16;
  if (layout.lit.length > 0) {
    bar(layout.lit, 20, layout.idle);
    y += 36;
    text(
      PAD,
      `${now.basis} of ${layout.wholeBasis}: ${percent(scene.total, total(wire, { ...now, basis: layout.wholeBasis }))}`,
      11,
    );
    y += 8;
  }
  bar(layout.bar, 34);
  y += 54;
  // Every part has its line: also the one that is too narrow to see.
  for (const part of layout.bar) {
    rect(PAD, y - 10, 10, 10, paint.hue(part.role));
    text(PAD + 18, part.label);
    text(PAD + 420, part.out ? "left out" : integer(part.counted), 12, 'text-anchor="end"');
    text(PAD + 500, part.out ? "" : percent(part.counted, scene.total), 12, 'text-anchor="end"');
    y += 18;
  }
  text(PAD + 18, now.basis, 12, 'font-weight="600"');
  text(PAD + 420, integer(scene.total), 12, 'text-anchor="end" font-weight="600"');
  y += 24;
  text(PAD, citation(wire, now), 10);
  paint.done();
  const height = y + PAD / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, Helvetica, Arial, sans-serif" fill="${safe(paint.text)}"><title>${safe(`Parameters of ${wire.model}`)}</title><rect width="100%" height="100%" fill="${safe(paint.ground)}"/>${shapes.join("")}</svg>`;
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
  const image = new Image();
  image.onload = () => {
    const canvas = scene.root.ownerDocument.createElement("canvas");
    canvas.width = SHARP * image.width;
    canvas.height = SHARP * image.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(scene, blob, "png"));
  };
  image.src = `data:image/svg+xml,${encodeURIComponent(toSvg(scene))}`;
}
