/** The counts in words: the sentence at the top and the line to cite. */
import { departuresText } from "./claims";
import { integer } from "./format";
import { total } from "./sum";
import type { Basis, Convention, Wire } from "./wire";

export interface Said {
  basis: Basis;
  n: number;
  /** departures that this number was counted with */
  departures: string;
}

/** The totals worth saying: the reader's own with its departures, the others as their basis counts by default. */
export function said(wire: Wire, now: Convention): Said[] {
  const say = (basis: Basis): Said => {
    const own = basis === now.basis;
    return {
      basis,
      n: total(wire, own ? now : { basis, off: [], on: [] }),
      departures: own ? departuresText(wire, now) : "",
    };
  };
  const [stored, active, architectural] = [say("stored"), say("active"), say("architectural")];
  const architecturalSays = architectural.n !== stored.n || now.basis === "architectural";
  return architecturalSays ? [stored, active, architectural] : [stored, active];
}

/** "116,829,156,672 stored, 5,132,849,472 active (embedding out), openai/gpt-oss-120b @ revision not pinned" */
export function citation(wire: Wire, now: Convention): string {
  const counts = said(wire, now).map(
    ({ basis, n, departures }) => `${integer(n)} ${basis}${departures && ` (${departures})`}`,
  );
  const { revision, pin } = wire.provenance;
  const where = revision ? ` @ ${revision}` : pin && ` @ revision ${pin}`;
  return `${counts.join(", ")}, ${wire.model}${where}`;
}
