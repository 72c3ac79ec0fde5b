/** How the copies of a tensor come about: layers × experts. */
import { integer } from "./format";
import type { Basis, Tensor } from "./wire";

const known = new Map<string, number[]>();

/** The indices that "0-2,4-6" names. */
export function indices(layers: string): readonly number[] {
  const found = known.get(layers);
  if (found) return found;
  const all: number[] = [];
  known.set(layers, all);
  for (const span of layers.split(",")) {
    const [, first, last] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(span) ?? [];
    if (first) for (let i = Number(first); i <= Number(last ?? first); i++) all.push(i);
  }
  return all;
}

/** How many they are. */
export const layerCount = (layers: string): number => indices(layers).length;

// More spans than these are for the title, not for a row.
const SPANS = 3;

/** "layers 3, 7, 11 …", "layers 0–60", "layer 61" */
export function layersText(layers: string): string {
  const spans = layers.split(",").map((span) => span.trim().replace("-", "–"));
  const more = spans.length > SPANS ? " …" : "";
  return `${layerCount(layers) === 1 ? "layer" : "layers"} ${spans.slice(0, SPANS).join(", ")}${more}`;
}

/** Experts a layer has and experts a token uses there; null where the copies are not whole layers of experts. */
export function expertsPerLayer(tensor: Tensor): { used: number; all: number } | null {
  const layers = layerCount(tensor.layers);
  const all = tensor.copies / layers;
  const used = tensor.activeCopies / layers;
  return layers && all > 1 && Number.isInteger(all) && Number.isInteger(used) ? { used, all } : null;
}

/** "36 × 4 of 128": layers × copies within one layer. */
export function copiesText(tensor: Tensor, basis: Basis): string {
  const experts = expertsPerLayer(tensor);
  const layers = integer(layerCount(tensor.layers));
  const part = basis === "active" && tensor.activeCopies !== tensor.copies;
  if (experts && part) return `${layers} × ${integer(experts.used)} of ${integer(experts.all)}`;
  if (experts) return `${layers} × ${integer(experts.all)}`;
  return part ? `${integer(tensor.activeCopies)} of ${integer(tensor.copies)}` : integer(tensor.copies);
}
