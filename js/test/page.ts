/** What tests wait for. */
import { vi } from "vitest";

/** A view is drawn after the task that changed it. */
export const settle = () => new Promise((done) => setTimeout(done, 60));

/** The view that is open comes after the first paint. */
export async function drawn(el: Element): Promise<void> {
  await vi.waitFor(() => {
    if (el.querySelector(".pw-panel:empty")) throw Error("the open view is not drawn");
  });
  await settle();
}
