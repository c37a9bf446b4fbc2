/** @typedef {{ key: string, revision: number, type: { key: string } } & Record<string, unknown>} Document */
/**
 * @typedef {{ id: number, comment: string | null, changes: { key: string, revision: number }[], documents: Document[]
 * }} FeedChange
 */

/** Records compared in one request. */
const PAGE = 100;

/** What the feed of changes says the catalog is: checked for gaps and halves while it is followed. */
export class FeedModel {
  #cursor = 0;
  /** @type {Map<string, Document>} */
  #latest = new Map();
  /** @type {Map<string, FeedChange[]>} */
  #byComment = new Map();
  /** Changes seen. */
  changes = 0;

  /**
   * Reads the feed from where it was left to its end.
   * @param {string} url
   */
  async follow(url) {
    for (;;) {
      const response = await fetch(`${url}/changes.json?since=${this.#cursor}&limit=500`);
      if (!response.ok) throw new Error(`changes.json: ${response.status} ${await response.text()}`);
      const { changes, cursor } =
        /** @type {{ changes: FeedChange[], cursor: number | string }} */
        (await response.json());
      for (const change of changes) this.#take(change);
      if (changes.length === 0) return;
      this.#cursor = Number(cursor);
    }
  }

  /** @param {FeedChange} change */
  #take(change) {
    const id = Number(change.id);
    if (id <= this.#cursor) throw new Error(`change ${id} comes after ${this.#cursor}`);
    this.changes += 1;
    for (const document of change.documents) {
      const before = this.#latest.get(document.key)?.revision ?? 0;
      if (document.revision !== before + 1)
        throw new Error(`${document.key}: revision ${document.revision} follows ${before}`);
      this.#latest.set(document.key, document);
    }
    const told = change.changes.map(({ key, revision }) => `${key}@${revision}`).sort();
    const made = change.documents.map(({ key, revision }) => `${key}@${revision}`).sort();
    if (change.comment?.startsWith("op ") && told.join() !== made.join())
      throw new Error(`change ${id} says ${told} and made ${made}`);
    const comment = change.comment ?? "";
    this.#byComment.set(comment, [...(this.#byComment.get(comment) ?? []), change]);
  }

  /**
   * Changes with a comment.
   * @param {string} comment
   */
  changesOf(comment) {
    return this.#byComment.get(comment) ?? [];
  }

  /**
   * Records as they are now.
   * @param {string} type such as `/type/work`
   */
  recordsOf(type) {
    return [...this.#latest.values()].filter((record) => record.type.key === type);
  }

  /**
   * Every record must read as the feed has it.
   * @param {string} url
   */
  async compareRecords(url) {
    const keys = [...this.#latest.keys()];
    for (let start = 0; start < keys.length; start += PAGE) {
      const part = keys.slice(start, start + PAGE);
      const asked = encodeURIComponent(JSON.stringify(part));
      const { result } =
        /** @type {{ result: Record<string, Document> }} */
        (await (await fetch(`${url}/api/get_many?keys=${asked}`)).json());
      for (const key of part) {
        if (JSON.stringify(result[key]) !== JSON.stringify(this.#latest.get(key)))
          throw new Error(`${key} reads ${JSON.stringify(result[key])}`);
      }
    }
  }

  /**
   * Search must find every live work by its title, and no other revision of it.
   * @param {string} url
   */
  async compareSearch(url) {
    for (const work of this.recordsOf("/type/work")) {
      const query = encodeURIComponent(`key:"${work.key}"`);
      const { docs } =
        /** @type {{ docs: { key: string, title: string }[] }} */
        (await (await fetch(`${url}/search.json?q=${query}&fields=key,title`)).json());
      if (docs.length !== 1 || docs[0]?.title !== work["title"])
        throw new Error(`search has ${JSON.stringify(docs)} for ${work.key}, ${work["title"]}`);
    }
  }
}
