/** What JSX may say of an element: its attributes as HTML spells them, and handlers. */
type Handler<E extends Event> = (event: E & { currentTarget: HTMLElement }) => void;

interface Attributes {
  key?: string | number;
  class?: string | undefined;
  style?: string;
  onclick?: Handler<MouseEvent>;
  onkeydown?: Handler<KeyboardEvent>;
  onchange?: Handler<Event>;
  oninput?: Handler<Event>;
  onblur?: Handler<FocusEvent>;
  onsubmit?: Handler<SubmitEvent>;
  [name: string]: unknown;
}

declare namespace JSX {
  type Element = import("./dom").Child;
  type ElementType = keyof IntrinsicElements | ((props: never) => Element);
  interface IntrinsicElements {
    [tag: string]: Attributes;
  }
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
}
