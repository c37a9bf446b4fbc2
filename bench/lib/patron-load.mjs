import { login } from "./patrons.mjs";

/** Requests of one patron at a time: two of them race for the same works. */
const HANDS = 2;
const SHELF_KEYS = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];
/** Entries of a page when everything is checked. */
const PAGE = 1000;

/**
 * What one request was meant to do, and what became of it. `order`: when it was sent and when it was answered.
 * @typedef {{ kind: "shelf" | "rating" | "seed" | "check-in" | "loan", subject: string, value: string, sent: number, answered: number, state: "sent" | "acknowledged" | "refused" | "unknown", id?: number }} Operation
 */

/**
 * What the answers to reads have, each some of it.
 * @typedef {{ entries: { id: number }[], numFound: number, reading_log_entries: { work: { key: string } }[], seeds?: { key: string }[], loans: { ocaid: string }[] }} Page
 */

/**
 * One patron's operations on a subject, such as a work on his shelves. @typedef {{ who: string, operations:
 * Operation[] }} History
 */

/** Patrons who put works on shelves, rate, check in and fill lists at once, and remember what they were told. */
export class PatronLoad {
  #random;
  #works;
  #scans;
  #usernames;
  /** @type {Map<string, string>} */
  #cookies = new Map();
  /** @type {Map<string, string>} */
  #lists = new Map();
  /** @type {Map<string, History>} */
  #histories = new Map();
  #clock = 0;

  /** @param {{ random: () => number, works: number, scans: readonly string[], usernames: readonly string[] }} options */
  constructor({ random, works, scans, usernames }) {
    this.#scans = scans;
    this.#random = random;
    this.#works = works;
    this.#usernames = usernames;
  }

  /** @param {string} url */
  async begin(url) {
    for (const username of this.#usernames) {
      this.#cookies.set(username, await login(url, username));
      const made = await this.#post(url, username, {
        path: `/people/${username}/lists.json`,
        body: { name: `List of ${username}`, seeds: [] },
      });
      const { key } = /** @type {{ key: string }} */ (await made.json());
      this.#lists.set(username, key);
    }
  }

  /**
   * Acts until the service is gone.
   * @param {string} url
   */
  async run(url) {
    await Promise.all(
      this.#usernames.flatMap((username) => Array.from({ length: HANDS }, () => this.#act(url, username))),
    );
  }

  /**
   * @param {string} url
   * @param {string} username
   */
  async #act(url, username) {
    for (;;) {
      const { operation, path, body } = this.#next(username);
      try {
        const response = await this.#post(url, username, { path, body });
        const answer = /** @type {{ id?: number }} */ (await response.json());
        operation.answered = this.#clock += 1;
        if (operation.kind === "loan" && response.status === 409) {
          operation.state = "refused";
          continue;
        }
        if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
        operation.state = "acknowledged";
        if (answer.id !== undefined) operation.id = answer.id;
      } catch (error) {
        // Nothing but the end of the connection is expected here.
        if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
        operation.state = "unknown";
        // What it did, if anything, it did before the service began again.
        operation.answered = this.#clock += 1;
        return;
      }
    }
  }

  /** @param {string} username */
  #next(username) {
    const work = 1 + Math.floor(this.#random() * this.#works);
    const draw = this.#random();
    if (draw < 0.1) {
      const scan = this.#scans[Math.floor(this.#random() * this.#scans.length)] ?? "";
      const action = this.#random() < 0.5 ? "borrow" : "return";
      const value = action === "borrow" ? "yes" : "";
      const operation = this.#note(username, "loan", { subject: scan, value });
      return { operation, path: `/borrow/ia/${scan}?action=${action}`, body: {} };
    }
    if (draw < 0.5) {
      const shelf = 1 + Math.floor(this.#random() * 4);
      const isRemoval = this.#random() < 0.2;
      const operation = this.#note(username, "shelf", {
        subject: `${work}`,
        value: isRemoval ? "" : (SHELF_KEYS[shelf - 1] ?? ""),
      });
      const bookshelf_id = String(isRemoval ? -1 : shelf);
      return {
        operation,
        path: `/works/OL${work}W/bookshelves.json`,
        body: { bookshelf_id, dont_remove: "true" },
      };
    }
    if (draw < 0.7) {
      // Works beyond those on shelves, as a rating moves a work.
      const rated = this.#works + work;
      const stars = String(1 + Math.floor(this.#random() * 5));
      const operation = this.#note(username, "rating", { subject: `${rated}`, value: stars });
      return { operation, path: `/works/OL${rated}W/ratings.json`, body: { rating: stars } };
    }
    if (draw < 0.85) {
      const rated = this.#works * 2 + work;
      const operation = this.#note(username, "check-in", { subject: `${rated}`, value: "2026-03-04" });
      const body = { event_type: 3, year: 2026, month: 3, day: 4 };
      return { operation, path: `/works/OL${rated}W/check-ins.json`, body };
    }
    const isRemoval = this.#random() < 0.3;
    const operation = this.#note(username, "seed", {
      subject: `/works/OL${work}W`,
      value: isRemoval ? "" : "yes",
    });
    const body = { [isRemoval ? "remove" : "add"]: [{ key: `/works/OL${work}W` }] };
    return { operation, path: `${this.#lists.get(username)}/seeds.json`, body };
  }

  /**
   * @param {string} who
   * @param {Operation["kind"]} kind
   * @param {{ subject: string, value: string }} what
   */
  #note(who, kind, { subject, value }) {
    const name = `${who} ${kind} ${subject}`;
    const history = this.#histories.get(name) ?? { who, operations: [] };
    this.#histories.set(name, history);
    const sent = (this.#clock += 1);
    /** @type {Operation} */
    const operation = { kind, subject, value, sent, answered: Number.POSITIVE_INFINITY, state: "sent" };
    history.operations.push(operation);
    return operation;
  }

  /**
   * Compares what patrons have with what they were told; returns what is lost, and how many works are on shelves.
   * @param {string} url
   */
  async check(url) {
    /** @type {unknown[]} */
    const lost = [];
    /** @type {Map<string, string[]>} */
    const shelves = new Map();
    /** @type {Map<string, string[]>} */
    const borrowed = new Map();
    for (const username of this.#usernames) {
      const { on, seeds, loans } = await this.#read(url, username);
      for (const scan of loans) borrowed.set(scan, [...(borrowed.get(scan) ?? []), username]);
      for (const [work, shelf] of on) shelves.set(work, [...(shelves.get(work) ?? []), shelf]);
      for (const { who, operations } of this.#histories.values()) {
        if (who !== username) continue;
        const [{ kind, subject } = { kind: "shelf", subject: "" }] = operations;
        if (kind === "shelf" && !possible(operations).has(on.get(subject) ?? "")) {
          lost.push({ who, kind, subject, found: on.get(subject) ?? null, operations: operations.slice(-4) });
        }
        if (kind === "seed" && !possible(operations).has(seeds.has(subject) ? "yes" : "")) {
          lost.push({ who, kind, subject, found: seeds.has(subject), operations: operations.slice(-4) });
        }
        if (kind === "loan" && !possible(operations).has(loans.has(subject) ? "yes" : "")) {
          lost.push({ who, kind, subject, found: loans.has(subject), operations: operations.slice(-4) });
        }
        if (kind === "check-in") lost.push(...(await this.#lostCheckIns(url, who, operations)));
      }
    }
    for (const [scan, who] of borrowed) if (who.length > 1) lost.push({ kind: "loan", scan, who });
    return { lost, shelves };
  }

  /** The latest star ratings that are possible, by work. */
  ratings() {
    /** @type {Map<string, Set<string>[]>} */
    const found = new Map();
    for (const { operations } of this.#histories.values()) {
      const [first] = operations;
      if (first?.kind !== "rating") continue;
      found.set(first.subject, [...(found.get(first.subject) ?? []), possible(operations)]);
    }
    return found;
  }

  counts() {
    const all = [...this.#histories.values()].flatMap(({ operations }) => operations);
    const count = (/** @type {string} */ state) => all.filter((one) => one.state === state).length;
    return { acknowledged: count("acknowledged"), unknown: count("unknown") };
  }

  /**
   * @param {string} url
   * @param {string} who
   * @param {Operation[]} operations
   */
  async #lostCheckIns(url, who, operations) {
    const told = operations.flatMap(({ id, state }) =>
      state === "acknowledged" && id !== undefined ? [id] : [],
    );
    if (told.length === 0) return [];
    const path = `/works/OL${operations[0]?.subject}W/check-ins.json`;
    const { entries } = await this.#get(url + path, who);
    const there = new Set(entries.map(({ id }) => id));
    return told.filter((id) => !there.has(id)).map((id) => ({ who, kind: "check-in", id }));
  }

  /**
   * @param {string} url
   * @param {string} username
   */
  async #read(url, username) {
    /** @type {Map<string, string>} */
    const on = new Map();
    for (const shelf of SHELF_KEYS) {
      const page = await this.#get(`${url}/people/${username}/books/${shelf}.json?limit=${PAGE}`, username);
      if (page.numFound !== page.reading_log_entries.length) {
        throw new Error(
          `${username} ${shelf}: ${page.numFound} said, ${page.reading_log_entries.length} there`,
        );
      }
      for (const { work } of page.reading_log_entries) on.set(work.key.replace(/\D/g, ""), shelf);
    }
    const list = await this.#get(`${url}${this.#lists.get(username)}.json?_raw=true`, username);
    const seeds = new Set((list.seeds ?? []).map(({ key }) => key));
    const { loans } = await this.#get(`${url}/account/loans.json`, username);
    return { on, seeds, loans: new Set(loans.map(({ ocaid }) => ocaid)) };
  }

  /**
   * @param {string} address
   * @param {string} username
   * @returns {Promise<Page>}
   */
  async #get(address, username) {
    const response = await fetch(address, { headers: { Cookie: this.#cookies.get(username) ?? "" } });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return /** @type {Promise<Page>} */ (response.json());
  }

  /**
   * @param {string} url
   * @param {string} username
   * @param {{ path: string, body: object }} request
   */
  #post(url, username, { path, body }) {
    return fetch(url + path, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        Cookie: this.#cookies.get(username) ?? "",
      },
      body: JSON.stringify(body),
    });
  }
}

/**
 * Values that a subject may have after these operations: of each that nothing was sent after its answer.
 * @param {Operation[]} all
 */
function possible(all) {
  const operations = all.filter(({ state }) => state !== "refused");
  const told = operations.filter(({ state }) => state === "acknowledged");
  const values = operations
    .filter(({ answered }) => !told.some(({ sent }) => sent > answered))
    .map(({ value }) => value);
  // Without any that was answered it may also be as it was before all of them: not there.
  return new Set(told.length === 0 ? [...values, ""] : values);
}
