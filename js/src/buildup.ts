/** The present total as experts + everything else + tables. */
import { series } from "./format";
import { byRole } from "./sum";
import type { Convention, Wire } from "./wire";

const GROUPS = [
  { roles: ["routed_expert", "shared_expert"], name: "experts" },
  { roles: null, name: "" },
  { roles: ["embedding", "lm_head", "position", "per_layer_embedding"], name: "" },
] as const;

export interface Term {
  label: string;
  n: number;
}

/** Terms that add up to the total; a group that counts nothing is left away. */
export function buildUp(wire: Wire, convention: Convention): Term[] {
  const sums = byRole(wire, convention);
  const named = new Set<string>(GROUPS.flatMap((group) => group.roles ?? []));
  return GROUPS.map(({ roles, name }) => {
    const members = wire.roles.filter(({ key }) => {
      const belongs = roles ? (roles as readonly string[]).includes(key) : !named.has(key);
      return belongs && (sums.get(key) ?? 0) > 0;
    });
    return {
      label: name || series(members.map((role) => role.label)),
      n: members.reduce((n, role) => n + (sums.get(role.key) ?? 0), 0),
    };
  }).filter((term) => term.n > 0);
}
