/** One view of a model's parameters. */
import { useCallback, useMemo, useState } from "preact/hooks";
import { chosenClaim } from "../claims";
import type { Model } from "../host";
import type { Scene } from "../scene";
import { flip, total } from "../sum";
import { conventionOf, useTraits } from "../traits";
import { readWire } from "../wire";
import { Announce } from "./Announce";
import { Basis } from "./Basis";
import { Bridge } from "./Bridge";
import { BuildUp } from "./BuildUp";
import { Claim } from "./Claim";
import { Head } from "./Head";
import { Ledger } from "./Ledger";
import { Picture } from "./Picture";
import { Presets } from "./Presets";
import { Sentence } from "./Sentence";

export function App({ model, id }: { model: Model; id: string }) {
  const traits = useTraits(model);
  const [hot, setHot] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [sought, setSought] = useState({ role: "" });
  const data = model.get("data");
  const wire = useMemo(() => readWire(data), [data]);
  const point = useCallback((role: string) => setHot(role), []);
  if (typeof wire === "string")
    return (
      <p class="pw-message" role="status">
        {wire}
      </p>
    );

  const now = conventionOf(traits.now);
  const scene: Scene = {
    id,
    wire,
    now,
    total: total(wire, now),
    claim: chosenClaim(wire, traits.now.claim, now.basis),
    hot,
    apply: ({ basis, off, on }) => traits.choose({ basis, off: [...off], on: [...on] }),
    setBasis: (basis) => traits.choose({ basis }),
    // Two clicks may come before one redraw: the second must build on the first.
    flip: (key) => traits.choose(flip(wire, conventionOf(traits.now), key)),
    choose: (claim) => traits.choose({ claim: claim.text }),
    point,
    open,
    setOpen,
    sought,
    seek: (role) => {
      setOpen(new Set(open).add(role));
      setSought({ role });
    },
  };
  return (
    <section class="pw-view" aria-label={`Parameters of ${wire.model}`}>
      <Head scene={scene} />
      <Sentence scene={scene} />
      <div class="pw-top">
        <Basis scene={scene} />
        <Claim scene={scene} />
      </div>
      <Picture scene={scene} />
      <div class="pw-main">
        <Ledger scene={scene} />
        <div class="pw-rail">
          <Presets scene={scene} />
          <Bridge scene={scene} />
        </div>
        <BuildUp scene={scene} />
      </div>
      <Announce scene={scene} />
    </section>
  );
}
