/** What only Python can do: count another model, read a checkpoint's headers. Nothing of it is needed to show a model. */
import type { Model } from "./host";
import { say } from "./say";

// How long a kernel may take to answer before it is said that none does.
const ANSWER_MS = 4000;

export type Bundled = [id: string, stored: number, active: number, facts: string];

interface Message {
  kind?: unknown;
  text?: unknown;
  done?: unknown;
  total?: unknown;
  models?: unknown;
}

export class Kernel {
  /** whether Python has answered; hosts do not say whether there is a kernel */
  alive = false;
  /** what it is doing, and how far it is */
  doing = "";
  done = 0;
  total = 0;
  error = "";
  catalog: Bundled[] = [];
  /** an exported page, which has no Python to ask */
  readonly none: boolean;
  private waiting?: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly model: Model,
    private readonly changed: () => void,
  ) {
    this.none = !model.send;
  }

  /** Asks Python for something; `doing` says what meanwhile. */
  ask(message: { do: string; source?: string }, doing = ""): void {
    Object.assign(this, { doing, error: "", done: 0, total: 0 });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.alive = false;
      if (this.doing) this.error = say("no_answer");
      this.changed();
    }, ANSWER_MS);
    try {
      this.model.send?.(message);
    } catch {
      // A kernel that is gone: the wait above ends with saying so.
    }
    this.changed();
  }

  /** The data came anew: what was asked for is there. */
  finish(): void {
    this.doing = "";
  }

  follow(): () => void {
    const heard = (content: unknown) => {
      const { kind, text, done, total, models } = (content ?? {}) as Message;
      clearTimeout(this.waiting);
      this.alive = true;
      this.error = kind === "error" ? String(text) : "";
      if (kind === "progress") Object.assign(this, { doing: String(text), done, total });
      else if (kind !== "here" && kind !== "more") this.doing = "";
      if (kind === "catalog" && Array.isArray(models)) this.catalog = models as Bundled[];
      this.changed();
    };
    this.model.on("msg:custom", heard);
    this.ask({ do: "here" });
    return () => {
      clearTimeout(this.waiting);
      this.model.off("msg:custom", heard);
    };
  }
}
