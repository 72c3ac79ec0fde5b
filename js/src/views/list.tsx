/** The views, in the order of their tabs: an entry here adds one. */
import { type Child, h } from "../dom";
import { integer } from "../format";
import type { Scene, ViewProps } from "../scene";
import { Bridge, bridgeFigure } from "./Bridge";
import { Check, checkFigure } from "./Check";
import { Layers } from "./Layers";
import { Ledger } from "./Ledger";
import { Memory, memoryFigure } from "./Memory";
import { Parts } from "./Parts";

interface View {
  key: string;
  label: string;
  /** the one number that the tab shows beside its label */
  figure(scene: Scene): string;
  View(props: ViewProps): Child;
}

export const VIEWS: [View, ...View[]] = [
  { key: "bridge", label: "bridge", figure: bridgeFigure, View: Bridge },
  { key: "parts", label: "parts", figure: ({ wire }) => integer(wire.roles.length), View: Parts },
  {
    key: "layers",
    label: "layers",
    figure: ({ wire }) => integer(wire.runs.reduce((n, run) => n + run.count, 0)),
    View: Layers,
  },
  {
    key: "table",
    label: "table",
    figure: ({ wire }) => integer(wire.tensors.length),
    View: ({ scene }) => <Ledger scene={scene} full />,
  },
  { key: "check", label: "check", figure: checkFigure, View: Check },
  { key: "memory", label: "memory", figure: memoryFigure, View: Memory },
];
