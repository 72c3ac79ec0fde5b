/** Colours by role: a class for each role that the style sheet knows, and one for all others. */
export const COLOURED = new Set([
  "embedding",
  "lm_head",
  "position",
  "per_layer_embedding",
  "attention",
  "linear_attention",
  "ssm",
  "mlp",
  "routed_expert",
  "shared_expert",
  "router",
  "norm",
  "encoder",
  "mtp",
  "vision",
  "audio",
  "projector",
]);

export const roleClass = (role: string): string => `pw-role-${COLOURED.has(role) ? role : "other"}`;
