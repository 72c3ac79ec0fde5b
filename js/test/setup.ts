/** What a page brings after the first paint is there from the start; later.test.ts tests how it comes. */
import grammar from "../../tests/golden/grammar.json";
import { provide } from "../src/later";
import * as more from "../src/more";

provide(more, grammar);
