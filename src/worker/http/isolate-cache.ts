/** A finished answer, without the headers that differ from request to request. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** Milliseconds since the epoch of the newest record shown; NaN when unknown. */
  readonly modified: number;
  /** Milliseconds since the epoch after which the answer is not to be given any more. */
  readonly expires: number;
  /** Keys of the records shown. */
  readonly records: readonly string[];
}

/** Bytes of answers that one isolate keeps (of its 128 MB). */
export const ISOLATE_CACHE_BYTES = 16 * 1024 * 1024;
/** Largest answer that is kept, in bytes. */
export const KEPT_ANSWER_BYTES = 256 * 1024;
/** What an entry costs besides its body, in bytes (estimate: names, headers, map slots). */
const ENTRY_OVERHEAD = 1024;
/** Records whose last write in this isolate is remembered; what was read before an older one is not used. */
export const REMEMBERED_WRITES = 10_000;

/**
 * Answers of the last seconds, oldest first to go. Entries know the records they show, so that
 * a write in the same isolate removes them at once.
 */
export class IsolateCache {
  private readonly entries = new Map<string, KeptAnswer>();
  private readonly namesOfRecord = new Map<string, Set<string>>();
  private readonly writes = new Map<string, number>();
  /** When the newest write was that is remembered no more, in milliseconds since the epoch. */
  private forgottenWrite = Number.NEGATIVE_INFINITY;
  private bytes = 0;

  /** The answer kept under a name, unless it is too old. */
  get(name: string, now: number): KeptAnswer | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.expires <= now) {
      this.delete(name);
      return undefined;
    }
    return entry;
  }

  /** Keeps an answer, and lets the oldest go until all fit. */
  set(name: string, entry: KeptAnswer): void {
    if (entry.body.byteLength > KEPT_ANSWER_BYTES) return;
    this.delete(name);
    this.entries.set(name, entry);
    this.bytes += sizeOf(name, entry);
    for (const key of entry.records) this.namesOf(key).add(name);
    while (this.bytes > ISOLATE_CACHE_BYTES) this.deleteOldest();
  }

  /** Forgets every answer that shows one of the records, which were written by `now`. */
  forget(keys: Iterable<string>, now: number): void {
    for (const key of keys) {
      for (const name of this.namesOfRecord.get(key) ?? []) this.delete(name);
      this.writes.delete(key);
      this.writes.set(key, now);
    }
    while (this.writes.size > REMEMBERED_WRITES) this.forgetOldestWrite();
  }

  /** True when this isolate may have written one of the records after they were read at `time`. */
  isOutdated(records: readonly string[], time: number): boolean {
    if (time <= this.forgottenWrite) return true;
    return this.writes.size > 0 && records.some((key) => (this.writes.get(key) ?? -1) >= time);
  }

  /** How full it is. */
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

/** The cache of this isolate, for all its listeners: what one of them writes, no other shows as it was. */
export const isolateCache = new IsolateCache();
