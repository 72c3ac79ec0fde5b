/** Models side by side: how they are counted, their sizes, their parts, and what their configs differ in. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { integer } from "../format";
import type { Model } from "../host";
import { conventionOf, useTraits } from "../traits";
import { Controls } from "./Controls";
import { Differences } from "./Differences";
import { Models } from "./Models";
import { Parts } from "./Parts";
import { rowsOf, sorted } from "./rows";
import { useSort } from "./sort";
import { readCompareWire } from "./wire";

export function CompareApp({ model, id }: { model: Model; id: string }) {
  const traits = useTraits(model);
  const [sort, setSort] = useSort(model);
  const data = model.get("data");
  const wire = useMemo(() => readCompareWire(data), [data]);
  if (typeof wire === "string")
    return (
      <p class="pw-message" role="status">
        {wire}
      </p>
    );
  const now = conventionOf(traits.now);
  const rows = sorted(rowsOf(wire, now), sort);
  const view = { id, wire, now, rows, sort, setSort };
  const said = `${now.basis}: ${rows
    .slice(0, 4)
    .map((row) => `${row.model.short} ${integer(row.total)}`)
    .join(", ")}`;
  return (
    <section
      class="pw-view pw-compare"
      aria-label={`Parameters of ${wire.models.length} models, side by side`}
    >
      <Controls view={view} choose={(next) => traits.choose(next)} latest={() => conventionOf(traits.now)} />
      <Models view={view} />
      <Parts view={view} />
      <Differences view={view} />
      <Announce text={said} />
    </section>
  );
}

/** Says the totals when they change, and nothing when the view first appears. */
function Announce({ text }: { text: string }) {
  const [shown, setShown] = useState("");
  const last = useRef(text);
  useEffect(() => {
    if (text !== last.current) setShown(text);
    last.current = text;
  }, [text]);
  return (
    <output class="pw-hidden" aria-live="polite">
      {shown}
    </output>
  );
}
