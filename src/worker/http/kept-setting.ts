import type { IsolateCache } from "./isolate-cache.ts";
import type { RequestContext } from "./operation.ts";

/** How long an isolate goes by settings of administrators that it has read, in milliseconds, unless stated. */
const KEPT_SETTINGS_MS = 5000;

interface Entry<Value> {
  /** Undefined after a change that nobody has read yet. */
  readonly value?: Value;
  readonly until: number;
}

/** What many requests ask for: read once in a while by each isolate. */
export class Kept<Value> {
  // Every isolate has one cache of answers, which stands for it.
  private readonly entries = new WeakMap<IsolateCache, Entry<Value>>();
  private readonly read: (context: RequestContext) => Promise<Value>;
  private readonly keptMs: number;

  constructor(read: (context: RequestContext) => Promise<Value>, keptMs = KEPT_SETTINGS_MS) {
    this.read = read;
    this.keptMs = keptMs;
  }

  /** What it was at most `keptMs` ago. */
  async get(context: RequestContext): Promise<Value> {
    const { cache, now } = context;
    const known = this.entries.get(cache);
    if (known?.value !== undefined && known.until > now) return known.value;
    const value = await this.read(context);
    // What was read before a change is not kept after it.
    if (this.entries.get(cache) === known) this.entries.set(cache, { value, until: now + this.keptMs });
    return value;
  }

  /** To be called after the setting was changed. */
  forget({ cache }: RequestContext): void {
    this.entries.set(cache, { until: 0 });
  }
}
