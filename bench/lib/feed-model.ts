import { fetchJson } from "./client.ts";

export interface Document {
  key: string;
  revision: number;
  type: { key: string };
  title?: string;
  name?: string;
  isbn_13?: string[];
  source_records?: string[];
  works?: { key: string }[];
  authors?: { author: { key: string } }[];
}

interface FeedChange {
  id: number;
  comment: string | null;
  changes: { key: string; revision: number }[];
  documents: Document[];
}

/** Records per request when comparing. */
const PAGE = 100;

/**
 * Catalog according to the feed of changes. Throws for gaps and partial changes while it follows the feed.
 */
export class FeedModel {
  #cursor = 0;
  #latest = new Map<string, Document>();
  #byComment = new Map<string, FeedChange[]>();
  /** Number of changes read. */
  changes = 0;

  /** Reads the feed from the last cursor to its end. */
  async follow(url: string) {
    for (;;) {
      const query = `since=${this.#cursor}&limit=500`;
      const { changes, cursor }: { changes: FeedChange[]; cursor: number | string } = await fetchJson(
        `${url}/changes.json?${query}`,
      );
      for (const change of changes) this.#take(change);
      if (changes.length === 0) return;
      this.#cursor = Number(cursor);
    }
  }

  #take(change: FeedChange) {
    const id = Number(change.id);
    if (id <= this.#cursor) throw new Error(`change ${id} comes after ${this.#cursor}`);
    this.changes += 1;
    for (const document of change.documents) {
      const before = this.#latest.get(document.key)?.revision ?? 0;
      if (document.revision !== before + 1)
        throw new Error(`${document.key}: revision ${document.revision} follows ${before}`);
      this.#latest.set(document.key, document);
    }
    const announced = change.changes.map(({ key, revision }) => `${key}@${revision}`).sort();
    const stored = change.documents.map(({ key, revision }) => `${key}@${revision}`).sort();
    if (change.comment?.startsWith("op ") && announced.join() !== stored.join())
      throw new Error(`change ${id} announces ${announced} but stores ${stored}`);
    const comment = change.comment ?? "";
    this.#byComment.set(comment, [...(this.#byComment.get(comment) ?? []), change]);
  }

  changesOf(comment: string) {
    return this.#byComment.get(comment) ?? [];
  }

  /** Returns the latest revisions of all records of a type, such as `/type/work`. */
  recordsOf(type: string) {
    return [...this.#latest.values()].filter((record) => record.type.key === type);
  }

  /** Throws unless every record reads as in the feed. */
  async compareRecords(url: string) {
    const keys = [...this.#latest.keys()];
    for (let start = 0; start < keys.length; start += PAGE) {
      const part = keys.slice(start, start + PAGE);
      const { result } = await fetchJson(
        `${url}/api/get_many?keys=${encodeURIComponent(JSON.stringify(part))}`,
      );
      for (const key of part) {
        if (JSON.stringify(result[key]) !== JSON.stringify(this.#latest.get(key)))
          throw new Error(`${key} reads ${JSON.stringify(result[key])}`);
      }
    }
  }

  /** Throws unless search finds every work with its current title. */
  async compareSearch(url: string) {
    for (const work of this.recordsOf("/type/work")) {
      const query = encodeURIComponent(`key:"${work.key}"`);
      const { docs } = await fetchJson(`${url}/search.json?q=${query}&fields=key,title`);
      if (docs.length !== 1 || docs[0]?.title !== work.title)
        throw new Error(`search has ${JSON.stringify(docs)} for ${work.key}, ${work.title}`);
    }
  }
}
