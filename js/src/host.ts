/** A host of its own for the widget: an exported page, the development page and the tests run it without a kernel. */

type Handler = (...args: unknown[]) => void;

/** What render() needs of a model; anywidget's own models have it and more. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(event: string, handler: Handler): void;
  off(event?: string, handler?: Handler): void;
  save_changes(): void;
  /** missing where there is no Python at all */
  send?: ((content: unknown) => void) | undefined;
  widget_manager?: { get_model(id: string): Promise<Pick<Model, "get">> };
}

/** A model over a plain object. `saved` is told the traits that changed, as a kernel would be. */
export function createModel(
  state: Record<string, unknown>,
  saved?: (changed: Record<string, unknown>) => void,
): Model {
  const values = new Map(Object.entries(state));
  const handlers = new Map<string, Set<Handler>>();
  let changed: Record<string, unknown> = {};
  const emit = (event: string, value: unknown) => {
    for (const handler of [...(handlers.get(event) ?? [])]) handler(undefined, value);
  };
  return {
    get: (name) => values.get(name),
    set(name, value) {
      if (JSON.stringify(values.get(name)) === JSON.stringify(value)) return;
      values.set(name, value);
      changed[name] = value;
      emit(`change:${name}`, value);
      emit("change", value);
    },
    on(event, handler) {
      handlers.set(event, (handlers.get(event) ?? new Set()).add(handler));
    },
    off(event, handler) {
      if (event === undefined) handlers.clear();
      else if (handler === undefined) handlers.delete(event);
      else handlers.get(event)?.delete(handler);
    },
    save_changes() {
      if (Object.keys(changed).length) saved?.(changed);
      changed = {};
    },
    send() {},
  };
}
