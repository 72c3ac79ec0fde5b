/**
 * The legend below the bar has the parts whose label has no room in it. That is measured when the bar has its layout and
 * before it is painted, and needs no redraw.
 */

/** A label that has no room is on the line below its own, where it is cut off. */
const shows = (label: Element): boolean =>
  (label.firstElementChild as HTMLElement).offsetTop === (label as HTMLElement).offsetTop;

export function fitLabels(root: HTMLElement) {
  const observer = new ResizeObserver(([bar]) => {
    for (const part of bar?.target.children ?? []) {
      const { role } = (part as HTMLElement).dataset;
      const labels = [...part.querySelectorAll(".pw-label")];
      // Compared, not looked up by a selector: a role is data.
      for (const own of root.querySelectorAll<HTMLElement>(".pw-readout > [data-role]"))
        if (own.dataset.role === role) own.toggleAttribute("hidden", labels.every(shows));
    }
  });
  return {
    /** After each redraw; an element that is observed anew is told of before the next paint. */
    measure() {
      observer.disconnect();
      const bar = root.querySelector(".pw-bar-main");
      if (bar) observer.observe(bar);
    },
    stop: () => observer.disconnect(),
  };
}
