import type { FeedModel } from "./feed-model.ts";
import { login } from "./patrons.ts";

/** Concurrent writers. */
const WRITERS = 8;
const ACCOUNT = "openlibrary";

/** A write and its outcome. `saved` has the acknowledged revisions. */
interface Operation {
  comment: string;
  marker: string;
  state: "sent" | "acknowledged" | "refused" | "unknown";
  saved: { key: string; revision: number }[];
}

/** Writers that change a small catalog concurrently in all ways, and remember the responses. */
export class WriteLoad {
  #random;
  #works;
  #isSure;
  #cookie = "";
  #operations: Operation[] = [];

  /**
   * `isSure`: a 503 means that nothing is stored. A separate database may fail after it has stored a change.
   */
  constructor({ random, works, isSure = true }: { random: () => number; works: number; isSure?: boolean }) {
    this.#random = random;
    this.#works = works;
    this.#isSure = isSure;
  }

  async login(url: string) {
    this.#cookie = await login(url, ACCOUNT);
  }

  /** Sends writes until the service is gone. */
  async run(url: string) {
    await Promise.all(Array.from({ length: WRITERS }, () => this.#write(url)));
  }

  async #write(url: string) {
    for (;;) {
      const marker = `m${this.#operations.length + 1}x`;
      const operation: Operation = { comment: `op ${marker}`, marker, state: "sent", saved: [] };
      this.#operations.push(operation);
      if (!(await this.#send(url, operation))) return;
    }
  }

  /** Sends one operation. Returns false if the service was gone before it responded. */
  async #send(url: string, operation: Operation) {
    const { path, method, body } = this.#request(operation);
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          "Content-Type": "application/json",
          Cookie: this.#cookie,
          Opt: '"http://openlibrary.org/dev/docs/api"; ns=42',
          "42-comment": operation.comment,
        },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (response.status >= 500 && response.status !== 503) throw new Error(JSON.stringify(answer));
      const isUnknown = response.status === 503 && !this.#isSure;
      operation.state = response.ok ? "acknowledged" : isUnknown ? "unknown" : "refused";
      if (!response.ok) return true;
      if (typeof answer === "string") operation.saved = [{ key: answer, revision: 1 }];
      else operation.saved = Array.isArray(answer) ? answer : [answer];
      return true;
    } catch (error) {
      // Only the end of the connection is expected.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
      operation.state = "unknown";
      return false;
    }
  }

  #request({ marker, comment }: Operation) {
    const kind = this.#random();
    if (kind < 0.45) {
      const work = this.#work(this.#number(), marker);
      return { method: "PUT", path: `${work.key}.json`, body: { ...work, _comment: comment } };
    }
    if (kind < 0.7) {
      const numbers = new Set(Array.from({ length: 12 }, () => this.#number()));
      return { method: "POST", path: "/api/save_many", body: [...numbers].map((n) => this.#work(n, marker)) };
    }
    if (kind < 0.9) {
      const { key: _key, ...members } = this.#work(this.#number(), marker);
      return { method: "POST", path: "/api/new", body: members };
    }
    const key = `/works/OL${this.#number()}W`;
    return {
      method: "PUT",
      path: `${key}.json`,
      body: { key, type: { key: "/type/delete" }, _comment: comment },
    };
  }

  #number() {
    return 1 + Math.floor(this.#random() * this.#works);
  }

  #work(n: number, marker: string) {
    return {
      key: `/works/OL${n}W`,
      type: { key: "/type/work" },
      title: `Fault ${marker}`,
      subjects: [`Marked ${marker}`],
      authors: [{ author: { key: `/authors/OL${Math.ceil(n / 2)}A` } }],
    };
  }

  /** Returns acknowledged operations that are missing from the feed, and partial ones. */
  check(model: FeedModel) {
    const lost: unknown[] = [];
    const partial: unknown[] = [];
    for (const { comment, marker, state, saved } of this.#operations) {
      const changes = model.changesOf(comment);
      const documents = changes.flatMap((change) => change.documents);
      const isMarked = documents.every(
        ({ type, title }) => type.key === "/type/delete" || title === `Fault ${marker}`,
      );
      if (changes.length > 1 || !isMarked) partial.push({ comment, changes: changes.length });
      if (state === "refused" && changes.length > 0) partial.push({ comment, state });
      const acknowledged = saved
        .filter(({ key }) => key !== undefined)
        .map(({ key, revision }) => `${key}@${revision}`);
      const stored = new Set(documents.map(({ key, revision }) => `${key}@${revision}`));
      if (state === "acknowledged" && acknowledged.some((one) => !stored.has(one)))
        lost.push({ comment, acknowledged });
    }
    return { lost, partial };
  }

  counts() {
    const count = (state: string) => this.#operations.filter((one) => one.state === state).length;
    return { acknowledged: count("acknowledged"), unknown: count("unknown"), refused: count("refused") };
  }
}
