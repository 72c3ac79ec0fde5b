/**
 * What the first module lends to the second (more.ts): that one is loaded by itself and must not hold it again. Its
 * files import these from here, and nothing else of the first module but types.
 */
export { citation } from "./citation";
export { describe } from "./claims";
export { value } from "./claims/claim";
export { Fragment, h } from "./dom";
export { bytes, integer, percent, series, short, signed } from "./format";
export { indices, layersText } from "./layers";
export { idleText, litText, picture, sizeOf } from "./picture";
export { say, tell } from "./say";
export { canonical, copies, counted, labelOf, out, total } from "./sum";
export { Fall, Grid, Num, Pick, Swatch } from "./views/bits";
export { roleClass } from "./views/role";
export { BASES } from "./wire";
