/** The views, in the order of their tabs: an entry here adds one. */
import { type Child, h } from "../dom";
import { bytes, integer } from "../format";
import { more } from "../later";
import type { Scene, ViewProps } from "../scene";
import { Bridge, bridgeFigure } from "./Bridge";
import { Later } from "./bits";
import { Ledger } from "./Ledger";
import { Parts } from "./Parts";

interface View {
  key: string;
  label: string;
  /** the one number that the tab shows beside its label */
  figure(scene: Scene): string;
  View(props: ViewProps): Child;
}

function checkFigure({ wire: { check } }: Scene): string {
  if (!check) return "";
  return check.unexplained === 0 ? "explained" : `${integer(check.unexplained)} unexplained`;
}

const memoryFigure = (scene: Scene): string =>
  more
    ? more.memoryFigure(scene)
    : scene.wire.weightBytes
      ? (bytes(scene.wire.weightBytes).split(", ")[0] ?? "")
      : "";

const later =
  (key: "Check" | "Layers" | "Memory") =>
  (props: ViewProps): Child =>
    more ? more[key](props) : <Later />;

export const VIEWS: [View, ...View[]] = [
  { key: "bridge", label: "bridge", figure: bridgeFigure, View: Bridge },
  { key: "parts", label: "parts", figure: ({ wire }) => integer(wire.roles.length), View: Parts },
  {
    key: "layers",
    label: "layers",
    figure: ({ wire }) => integer(wire.runs.reduce((n, run) => n + run.count, 0)),
    View: later("Layers"),
  },
  {
    key: "table",
    label: "table",
    figure: ({ wire }) => integer(wire.tensors.length),
    View: ({ scene }) => <Ledger scene={scene} full />,
  },
  { key: "check", label: "check", figure: checkFigure, View: later("Check") },
  { key: "memory", label: "memory", figure: memoryFigure, View: later("Memory") },
];
