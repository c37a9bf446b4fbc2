/** @import { FeedModel } from "./feed-model.mjs" */

/** Writers at a time. */
const WRITERS = 8;
const ACCOUNT = "openlibrary";

/**
 * One request to write. `keys` are those that the service has acknowledged.
 * @typedef {{ comment: string, marker: string, state: "sent" | "acknowledged" | "refused" | "unknown", saved: { key: string, revision: number }[] }} Operation
 */

/** Writers that change a small catalog in every way at once, and remember what they were told. */
export class WriteLoad {
  #random;
  #works;
  #isSure;
  #cookie = "";
  /** @type {Operation[]} */
  #operations = [];

  /**
   * @param {{ random: () => number, works: number, isSure?: boolean }} options `isSure`: what is answered with 503 is not
   * stored. A catalog of its own may have gone after it stored something.
   */
  constructor({ random, works, isSure = true }) {
    this.#random = random;
    this.#works = works;
    this.#isSure = isSure;
  }

  /** @param {string} url */
  async login(url) {
    const response = await fetch(`${url}/account/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ username: ACCOUNT, password: ACCOUNT }),
    });
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session="));
    if (cookie === undefined) throw new Error(`login: ${response.status} ${await response.text()}`);
    this.#cookie = cookie.split(";")[0] ?? "";
  }

  /**
   * Writes until the service is gone.
   * @param {string} url
   */
  async run(url) {
    await Promise.all(Array.from({ length: WRITERS }, () => this.#write(url)));
  }

  /** @param {string} url */
  async #write(url) {
    for (;;) {
      const marker = `m${this.#operations.length + 1}x`;
      /** @type {Operation} */
      const operation = { comment: `op ${marker}`, marker, state: "sent", saved: [] };
      this.#operations.push(operation);
      if (!(await this.#send(url, operation))) return;
    }
  }

  /**
   * Sends one operation; false when the service was gone before it answered.
   * @param {string} url
   * @param {Operation} operation
   */
  async #send(url, operation) {
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
      // Nothing but the end of the connection is expected here.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
      operation.state = "unknown";
      return false;
    }
  }

  /** @param {Operation} operation */
  #request({ marker, comment }) {
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

  /**
   * @param {number} n
   * @param {string} marker
   */
  #work(n, marker) {
    return {
      key: `/works/OL${n}W`,
      type: { key: "/type/work" },
      title: `Fault ${marker}`,
      subjects: [`Marked ${marker}`],
      authors: [{ author: { key: `/authors/OL${Math.ceil(n / 2)}A` } }],
    };
  }

  /**
   * What was acknowledged and is not in the log as told, and what is there in part only.
   * @param {FeedModel} model
   */
  check(model) {
    /** @type {unknown[]} */
    const lost = [];
    /** @type {unknown[]} */
    const halves = [];
    for (const { comment, marker, state, saved } of this.#operations) {
      const changes = model.changesOf(comment);
      const documents = changes.flatMap((change) => change.documents);
      const isMarked = documents.every(
        ({ type, title }) => type.key === "/type/delete" || title === `Fault ${marker}`,
      );
      if (changes.length > 1 || !isMarked) halves.push({ comment, changes: changes.length });
      if (state === "refused" && changes.length > 0) halves.push({ comment, state });
      const told = saved
        .filter(({ key }) => key !== undefined)
        .map(({ key, revision }) => `${key}@${revision}`);
      const made = new Set(documents.map(({ key, revision }) => `${key}@${revision}`));
      if (state === "acknowledged" && told.some((one) => !made.has(one))) lost.push({ comment, told });
    }
    return { lost, halves };
  }

  counts() {
    const count = (/** @type {string} */ state) =>
      this.#operations.filter((one) => one.state === state).length;
    return { acknowledged: count("acknowledged"), unknown: count("unknown"), refused: count("refused") };
  }
}
