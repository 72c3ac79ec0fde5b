/** What only Python can do: count another model, read a checkpoint's headers. Nothing of it is needed to show a model. */
import type { Model } from "./host";
import { say } from "./say";
import { readCatalog } from "./wire";

// How long a kernel may take to answer before it is said that none does.
const ANSWER_MS = 4000;

export type Bundled = [id: string, stored: number, active: number, facts: string];

interface Message {
  kind?: unknown;
  do?: unknown;
  text?: unknown;
  done?: unknown;
  total?: unknown;
  models?: unknown;
}

/** What Python is asked to do of one kind, which others do not disturb. */
export class Kernel {
  /** what it is doing of that, and how far it is */
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
    private readonly work: "open" | "check",
    /** whether Python has answered, to any; hosts do not say whether there is a kernel */
    private readonly line = { alive: false },
  ) {
    this.none = !model.send;
  }

  get alive(): boolean {
    return this.line.alive;
  }

  /** Asks Python for something; `doing` says what meanwhile. */
  ask(message: { do: string; source?: string }, doing = ""): void {
    this.error = "";
    if (message.do === this.work) Object.assign(this, { doing, done: 0, total: 0 });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.line.alive = false;
      if (this.doing) this.error = say("no_answer");
      this.doing = "";
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
    if (this.doing || this.error) this.line.alive = true;
    clearTimeout(this.waiting);
    this.doing = this.error = "";
  }

  follow(): () => void {
    const heard = (content: unknown) => {
      const { kind, do: work, text, done, total, models } = (content ?? {}) as Message;
      clearTimeout(this.waiting);
      this.line.alive = true;
      if (kind === "catalog") this.catalog = readCatalog(models);
      if (work === this.work) {
        this.error = kind === "error" ? String(text) : "";
        this.doing = kind === "progress" ? String(text) : "";
        Object.assign(this, { done, total });
      }
      this.changed();
    };
    this.model.on("msg:custom", heard);
    return () => {
      clearTimeout(this.waiting);
      this.model.off("msg:custom", heard);
    };
  }
}
