import type { IsolateCache } from "./isolate-cache.ts";
import type { RequestContext } from "./operation.ts";

/** Default TTL of administrators' settings in an isolate, in milliseconds. */
const KEPT_SETTINGS_MS = 5000;

interface Entry<Value> {
  /** Undefined after a change that has not been read yet. */
  readonly value?: Value;
  readonly until: number;
}

/** Value that many requests need: each isolate reads it once per TTL. */
export class Kept<Value> {
  // Every isolate has one answer cache, which identifies it.
  private readonly entries = new WeakMap<IsolateCache, Entry<Value>>();
  private readonly read: (context: RequestContext) => Promise<Value>;
  private readonly keptMs: number;

  constructor(read: (context: RequestContext) => Promise<Value>, keptMs = KEPT_SETTINGS_MS) {
    this.read = read;
    this.keptMs = keptMs;
  }

  /** Returns the value, at most `keptMs` old. */
  async get(context: RequestContext): Promise<Value> {
    const { cache, now } = context;
    const known = this.entries.get(cache);
    if (known?.value !== undefined && known.until > now) return known.value;
    const value = await this.read(context);
    // A value read before a change is not stored after it.
    if (this.entries.get(cache) === known) this.entries.set(cache, { value, until: now + this.keptMs });
    return value;
  }

  /** Discards the value. Call after the setting was changed. */
  forget({ cache }: RequestContext): void {
    this.entries.set(cache, { until: 0 });
  }
}
