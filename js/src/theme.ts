/** Light or dark, as the host says or as the ground shows, followed while the view lives. */

type Theme = "light" | "dark";

const HOST_ATTRIBUTE = "data-jp-theme-light";

/** The element above, out of shadow roots too: marimo mounts widgets in one. */
function above(el: Element): Element | null {
  if (el.parentElement) return el.parentElement;
  const root = el.getRootNode();
  return "host" in root ? (root as ShadowRoot).host : null;
}

/** Whether a computed colour is dark; null where it is see-through or unreadable. */
export function isDark(color: string): boolean | null {
  const [r, g, b, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (!color.startsWith("rgb") || r === undefined || g === undefined || b === undefined || alpha < 0.5)
    return null;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 128;
}

function themeOf(root: Element, probe: Element): Theme {
  for (let el: Element | null = root; el; el = above(el)) {
    const light = el.getAttribute(HOST_ATTRIBUTE);
    if (light !== null) return light === "false" ? "dark" : "light";
  }
  // The probe is painted in the host's own ground colour, where the host defines one: the view will be too.
  const grounds = [probe];
  for (let el = above(root); el; el = above(el)) grounds.push(el);
  for (const el of grounds) {
    const dark = isDark(getComputedStyle(el).backgroundColor);
    if (dark !== null) return dark ? "dark" : "light";
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Keeps `data-pw-theme` on the root equal to the host's theme; returns how to stop. */
export function followTheme(root: HTMLElement): () => void {
  const probe = root.appendChild(root.ownerDocument.createElement("i"));
  probe.className = "pw-probe";
  const update = () => {
    const theme = themeOf(root, probe);
    if (root.dataset.pwTheme !== theme) root.dataset.pwTheme = theme;
  };
  const observer = new MutationObserver(update);
  const watch = () => {
    for (let el = above(root); el; el = above(el))
      observer.observe(el, {
        attributes: true,
        attributeFilter: [HOST_ATTRIBUTE, "class", "style", "data-theme"],
      });
    update();
  };
  // Hosts may render before they attach: the first size is the first moment at which ancestors are known.
  const attached = new ResizeObserver(() => {
    attached.disconnect();
    watch();
  });
  attached.observe(root);
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", update);
  watch();
  return () => {
    attached.disconnect();
    observer.disconnect();
    media.removeEventListener("change", update);
    probe.remove();
  };
}
