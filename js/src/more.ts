/**
 * The second module: what is only needed once somebody asks. A notebook saves it once, and not with each widget; see
 * later.ts for how it comes to a view.
 */
export { learnGrammar, readClaim } from "./claims/read";
export { savePng, saveSvg } from "./export";
export { Check } from "./views/Check";
export { Layers } from "./views/Layers";
export { Memory, memoryFigure } from "./views/Memory";
export { Picker } from "./views/Picker";
