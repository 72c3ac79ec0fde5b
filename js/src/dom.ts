/**
 * The renderer: a view is a function from a scene to nodes, and `patch` makes an element's children equal to them.
 * Preact is five times this size, and the module's text is saved once per widget in a notebook.
 */

/** A class, so that no object of the data can pass for one: what is data becomes text or nothing. */
export class VNode {
  dom?: Node;

  constructor(
    /** empty for a text */
    readonly tag: string,
    readonly props: Attributes,
    readonly children: VNode[],
  ) {}
}

export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];

type Component = (props: never) => Child;

/** JSX: an element, or what a component returns for its properties and children. */
export function h(tag: string | Component, props: Attributes | null, ...children: Child[]): Child {
  if (typeof tag === "function")
    return (tag as (props: unknown) => Child)(children.length ? { ...props, children } : (props ?? {}));
  // In a form of the host, a button that says nothing else would send it.
  return new VNode(tag, tag === "button" ? { type: "button", ...props } : (props ?? {}), flat(children));
}

export const Fragment = ({ children }: { children?: Child }): Child => children;

/** One list of nodes, without what shows nothing. */
export function flat(children: Child, into: VNode[] = []): VNode[] {
  if (Array.isArray(children)) for (const child of children) flat(child, into);
  else if (children instanceof VNode) into.push(children);
  else if (typeof children === "number" || (children && typeof children === "string"))
    into.push(new VNode("", { text: String(children) }, []));
  return into;
}

// What a reader changes without this module: compared with the element, not with what was drawn last.
const LIVE = ["checked", "value"];

function setProp(el: HTMLElement, name: string, value: unknown, old: unknown): void {
  const live = LIVE.includes(name);
  if (name === "key" || value === (live ? (el as unknown as Attributes)[name] : old)) return;
  if (live || name.startsWith("on")) (el as unknown as Attributes)[name] = value ?? null;
  // Through the object model: a strict Content-Security-Policy forbids the attribute.
  else if (name === "style") el.style.cssText = String(value ?? "");
  else if (value === undefined || value === null || (value === false && !name.startsWith("aria-")))
    el.removeAttribute(name);
  else el.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
}

function update(next: VNode, old: VNode | undefined): void {
  if (!next.tag) {
    if (old && old.props.text !== next.props.text) (next.dom as Text).data = next.props.text as string;
    return;
  }
  const el = next.dom as HTMLElement;
  for (const name in old?.props) if (!(name in next.props)) setProp(el, name, undefined, old?.props[name]);
  // After the children: a select takes the value of an option that is there.
  patch(el, old?.children ?? [], next.children);
  for (const name in next.props) setProp(el, name, next.props[name], old?.props[name]);
}

const nameOf = ({ tag, props }: VNode) => `${tag} ${props.key ?? ""}`;

const alike = (a: VNode | undefined, b: VNode) => a?.tag === b.tag && a.props.key === b.props.key;

/**
 * Makes the children of an element those of `next`. A node is kept where the tag and the key are the same, in their
 * order, so that what comes and goes before it moves neither it nor the focus in it.
 */
export function patch(parent: Element, old: readonly VNode[], next: readonly VNode[]): void {
  const kept = new Map<string, VNode[]>();
  // Mostly nothing comes or goes.
  const still = old.length === next.length && next.every((node, i) => alike(old[i], node));
  for (const node of still ? [] : old) {
    const same = kept.get(nameOf(node));
    if (same) same.push(node);
    else kept.set(nameOf(node), [node]);
  }
  for (const [i, node] of next.entries()) {
    const same = still ? old[i] : kept.get(nameOf(node))?.shift();
    const page = parent.ownerDocument;
    node.dom =
      same?.dom ?? (node.tag ? page.createElement(node.tag) : page.createTextNode(node.props.text as string));
    if (same !== node) update(node, same);
  }
  if (still) return;
  for (const left of kept.values()) for (const { dom } of left) dom?.parentNode?.removeChild(dom);
  let at = parent.firstChild;
  for (const { dom } of next) {
    if (dom === at) at = at?.nextSibling ?? null;
    else if (dom) parent.insertBefore(dom, at);
  }
}
