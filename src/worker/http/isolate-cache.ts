export interface CachedAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** Time of the newest record shown, in milliseconds since the epoch; NaN if unknown. */
  readonly modified: number;
  readonly expires: number;
  readonly records: readonly string[];
}

/** Bytes of answers in the cache of one isolate (of its 128 MB). */
export const ISOLATE_CACHE_BYTES = 16 * 1024 * 1024;
export const CACHED_ANSWER_BYTES = 256 * 1024;
/** Estimated cost of an entry besides its body, in bytes (names, headers, map slots). */
const ENTRY_OVERHEAD = 1024;
/** Records whose last write in this isolate is remembered; answers read before a forgotten write are not used. */
export const REMEMBERED_WRITES = 10_000;

/** In-memory cache of recent answers, oldest evicted first. A write to a record that they show evicts them at once. */
export class IsolateCache {
  private readonly entries = new Map<string, CachedAnswer>();
  private readonly namesOfRecord = new Map<string, Set<string>>();
  private readonly writes = new Map<string, number>();
  /** Time of the newest write that is no longer remembered, in milliseconds since the epoch. */
  private forgottenWrite = Number.NEGATIVE_INFINITY;
  private bytes = 0;

  get(name: string, now: number): CachedAnswer | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.expires <= now) {
      this.delete(name);
      return undefined;
    }
    return entry;
  }

  set(name: string, entry: CachedAnswer): void {
    if (entry.body.byteLength > CACHED_ANSWER_BYTES) return;
    this.delete(name);
    this.entries.set(name, entry);
    this.bytes += sizeOf(name, entry);
    for (const key of entry.records) this.namesOf(key).add(name);
    while (this.bytes > ISOLATE_CACHE_BYTES) this.deleteOldest();
  }

  /** Evicts every answer that shows one of the records, which were written by `now`. */
  forget(keys: Iterable<string>, now: number): void {
    for (const key of keys) {
      for (const name of this.namesOfRecord.get(key) ?? []) this.delete(name);
      this.writes.delete(key);
      this.writes.set(key, now);
    }
    while (this.writes.size > REMEMBERED_WRITES) this.forgetOldestWrite();
  }

  /** Returns true if this isolate may have written one of the records after they were read at `time`. */
  isOutdated(records: readonly string[], time: number): boolean {
    if (time <= this.forgottenWrite) return true;
    return this.writes.size > 0 && records.some((key) => (this.writes.get(key) ?? -1) >= time);
  }

  get fill(): { answers: number; bytes: number; writes: number } {
    return { answers: this.entries.size, bytes: this.bytes, writes: this.writes.size };
  }

  private namesOf(key: string): Set<string> {
    const names = this.namesOfRecord.get(key) ?? new Set<string>();
    this.namesOfRecord.set(key, names);
    return names;
  }

  private forgetOldestWrite(): void {
    const [oldest] = this.writes;
    if (oldest === undefined) return;
    const [key, time] = oldest;
    this.writes.delete(key);
    this.forgottenWrite = Math.max(this.forgottenWrite, time);
  }

  private deleteOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }

  private delete(name: string): void {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    this.entries.delete(name);
    this.bytes -= sizeOf(name, entry);
    for (const key of entry.records) this.forgetName(key, name);
  }

  private forgetName(key: string, name: string): void {
    const names = this.namesOfRecord.get(key);
    names?.delete(name);
    if (names?.size === 0) this.namesOfRecord.delete(key);
  }
}

function sizeOf(name: string, entry: CachedAnswer): number {
  return entry.body.byteLength + 2 * name.length + ENTRY_OVERHEAD;
}

export const isolateCache = new IsolateCache();

const SETTING_TTL_MS = 5000;

export class IsolateMemo<Value, Context extends { cache: IsolateCache; now: number }> {
  // Every isolate has one answer cache, which identifies it. No value: it has changed and was not read since.
  private readonly entries = new WeakMap<IsolateCache, { value?: Value; until: number }>();
  private readonly read: (context: Context) => Promise<Value>;
  private readonly ttlMs: number;

  constructor(read: (context: Context) => Promise<Value>, ttlMs = SETTING_TTL_MS) {
    this.read = read;
    this.ttlMs = ttlMs;
  }

  async get(context: Context): Promise<Value> {
    const { cache, now } = context;
    const known = this.entries.get(cache);
    if (known?.value !== undefined && known.until > now) return known.value;
    const value = await this.read(context);
    // A value read before a change is not stored after it.
    if (this.entries.get(cache) === known) this.entries.set(cache, { value, until: now + this.ttlMs });
    return value;
  }

  /** Discards the value. Call after the setting was changed. */
  forget({ cache }: Pick<Context, "cache">): void {
    this.entries.set(cache, { until: 0 });
  }
}
