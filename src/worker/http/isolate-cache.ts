/** Complete response, without the headers that differ from request to request. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** Time of the newest record shown, in milliseconds since the epoch; NaN if unknown. */
  readonly modified: number;
  /** Expiry of the entry, in milliseconds since the epoch. */
  readonly expires: number;
  /** Keys of the records shown. */
  readonly records: readonly string[];
}

/** Bytes of answers in the cache of one isolate (of its 128 MB). */
export const ISOLATE_CACHE_BYTES = 16 * 1024 * 1024;
/** Largest answer that is cached, in bytes. */
export const KEPT_ANSWER_BYTES = 256 * 1024;
/** Estimated cost of an entry besides its body, in bytes (names, headers, map slots). */
const ENTRY_OVERHEAD = 1024;
/** Records whose last write in this isolate is remembered; answers read before a forgotten write are not used. */
export const REMEMBERED_WRITES = 10_000;

/**
 * In-memory cache of recent answers; the oldest is evicted first. Entries know the records they show, so that a write
 * in the same isolate evicts them at once.
 */
export class IsolateCache {
  private readonly entries = new Map<string, KeptAnswer>();
  private readonly namesOfRecord = new Map<string, Set<string>>();
  private readonly writes = new Map<string, number>();
  /** Time of the newest write that is no longer remembered, in milliseconds since the epoch. */
  private forgottenWrite = Number.NEGATIVE_INFINITY;
  private bytes = 0;

  /** Returns the entry of a name, unless it has expired. */
  get(name: string, now: number): KeptAnswer | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.expires <= now) {
      this.delete(name);
      return undefined;
    }
    return entry;
  }

  /** Stores an answer, and evicts the oldest entries until all fit. */
  set(name: string, entry: KeptAnswer): void {
    if (entry.body.byteLength > KEPT_ANSWER_BYTES) return;
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

  /** Current number of entries, bytes and remembered writes. */
  get fill(): { readonly answers: number; readonly bytes: number; readonly writes: number } {
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

function sizeOf(name: string, entry: KeptAnswer): number {
  return entry.body.byteLength + 2 * name.length + ENTRY_OVERHEAD;
}

/** Cache of this isolate, shared by all its listeners, so that a write by one of them evicts the answers of all. */
export const isolateCache = new IsolateCache();
