import { KIB, MIB } from "../../catalog/units.ts";
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
export const ISOLATE_CACHE_BYTES = 16 * MIB;
export const CACHED_ANSWER_BYTES = 256 * KIB;
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

/** Values by key of one memo in one isolate, oldest evicted first. */
const MEMO_VALUES_MAX = 10_000;

export class IsolateMemo<Value, Context extends { cache: IsolateCache; now: number }> {
  // Every isolate has one answer cache, which identifies it.
  private readonly values = new WeakMap<IsolateCache, Map<string, { value: Value; time: number }>>();
  private readonly read: (context: Context, key: string) => Promise<Value>;
  private readonly ttlMs: number;

  constructor(read: (context: Context, key: string) => Promise<Value>, ttlMs = SETTING_TTL_MS) {
    this.read = read;
    this.ttlMs = ttlMs;
  }

  /** Returns the value of a key. `record`: a record that it depends on, whose writes in this isolate discard it. */
  async get(context: Context, key = "", record?: string): Promise<Value> {
    const { cache, now } = context;
    const values = this.values.get(cache) ?? new Map<string, { value: Value; time: number }>();
    this.values.set(cache, values);
    const known = values.get(key);
    const isOutdated = record !== undefined && known !== undefined && cache.isOutdated([record], known.time);
    if (known !== undefined && known.time + this.ttlMs > now && !isOutdated) return known.value;
    const value = await this.read(context, key);
    // After `forget` this is no longer the map of the isolate: a value read before a change is not kept after it.
    values.delete(key);
    values.set(key, { value, time: now });
    const [oldest] = values.keys();
    if (values.size > MEMO_VALUES_MAX && oldest !== undefined) values.delete(oldest);
    return value;
  }

  /** Discards the values. Call after a setting was changed. */
  forget({ cache }: Pick<Context, "cache">): void {
    this.values.delete(cache);
  }
}
