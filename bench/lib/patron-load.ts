import { login } from "./patrons.ts";

/** Concurrent requests of a patron, which race for the same works. */
const CONCURRENCY = 2;
const SHELF_KEYS = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];
/** Entries per page when checking. */
const PAGE = 1000;

/** A request of a patron and its outcome. `sent` and `answered` are ticks of a logical clock. */
interface Operation {
  kind: "shelf" | "rating" | "seed" | "check-in" | "loan";
  subject: string;
  value: string;
  sent: number;
  answered: number;
  state: "sent" | "acknowledged" | "refused" | "unknown";
  id?: number;
}

/** Members of the responses to reads; each response has some of them. */
interface Page {
  entries: { id: number }[];
  numFound: number;
  reading_log_entries: { work: { key: string } }[];
  seeds?: { key: string }[];
  loans: { ocaid: string }[];
}

/** Operations of a patron on a subject, such as a work on their shelves. */
interface History {
  who: string;
  operations: Operation[];
}

interface PatronLoadOptions {
  random: () => number;
  /** Works that are shelved; as many others are rated, and as many again get check-ins. */
  works: number;
  scans: readonly string[];
  usernames: readonly string[];
}

/** Patrons who shelve, rate, check in, borrow and fill lists concurrently, and remember the responses. */
export class PatronLoad {
  #options;
  #cookies = new Map<string, string>();
  #lists = new Map<string, string>();
  #histories = new Map<string, History>();
  #clock = 0;

  constructor(options: PatronLoadOptions) {
    this.#options = options;
  }

  async begin(url: string) {
    for (const username of this.#options.usernames) {
      this.#cookies.set(username, await login(url, username));
      const response = await this.#post(url, username, {
        path: `/people/${username}/lists.json`,
        body: { name: `List of ${username}`, seeds: [] },
      });
      const { key } = (await response.json()) as { key: string };
      this.#lists.set(username, key);
    }
  }

  /** Sends requests until the service is gone. */
  async run(url: string) {
    await Promise.all(
      this.#options.usernames.flatMap((username) =>
        Array.from({ length: CONCURRENCY }, () => this.#act(url, username)),
      ),
    );
  }

  async #act(url: string, username: string) {
    for (;;) {
      const { operation, path, body } = this.#next(username);
      try {
        const response = await this.#post(url, username, { path, body });
        const answer = (await response.json()) as { id?: number };
        operation.answered = this.#clock += 1;
        if (operation.kind === "loan" && response.status === 409) {
          operation.state = "refused";
          continue;
        }
        if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
        operation.state = "acknowledged";
        if (answer.id !== undefined) operation.id = answer.id;
      } catch (error) {
        // Only the end of the connection is expected.
        if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
        operation.state = "unknown";
        // Any effect happened before the service starts again.
        operation.answered = this.#clock += 1;
        return;
      }
    }
  }

  /** Chooses the next request of a patron at random. */
  #next(username: string) {
    const { random, works, scans } = this.#options;
    const work = 1 + Math.floor(random() * works);
    const kind = random();
    if (kind < 0.1) {
      const scan = scans[Math.floor(random() * scans.length)] ?? "";
      const action = random() < 0.5 ? "borrow" : "return";
      const operation = this.#note(username, "loan", {
        subject: scan,
        value: action === "borrow" ? "yes" : "",
      });
      return { operation, path: `/borrow/ia/${scan}?action=${action}`, body: {} };
    }
    if (kind < 0.5) {
      const shelf = 1 + Math.floor(random() * 4);
      const isRemoval = random() < 0.2;
      const value = isRemoval ? "" : (SHELF_KEYS[shelf - 1] ?? "");
      const operation = this.#note(username, "shelf", { subject: `${work}`, value });
      const body = { bookshelf_id: String(isRemoval ? -1 : shelf), dont_remove: "true" };
      return { operation, path: `/works/OL${work}W/bookshelves.json`, body };
    }
    if (kind < 0.7) {
      // Other works than those on shelves, because a rating moves a work to a shelf.
      const rated = works + work;
      const stars = String(1 + Math.floor(random() * 5));
      const operation = this.#note(username, "rating", { subject: `${rated}`, value: stars });
      return { operation, path: `/works/OL${rated}W/ratings.json`, body: { rating: stars } };
    }
    if (kind < 0.85) {
      const read = works * 2 + work;
      const operation = this.#note(username, "check-in", { subject: `${read}`, value: "2026-03-04" });
      const body = { event_type: 3, year: 2026, month: 3, day: 4 };
      return { operation, path: `/works/OL${read}W/check-ins.json`, body };
    }
    const key = `/works/OL${work}W`;
    const isRemoval = random() < 0.3;
    const operation = this.#note(username, "seed", { subject: key, value: isRemoval ? "" : "yes" });
    const body = { [isRemoval ? "remove" : "add"]: [{ key }] };
    return { operation, path: `${this.#lists.get(username)}/seeds.json`, body };
  }

  #note(who: string, kind: Operation["kind"], { subject, value }: { subject: string; value: string }) {
    const name = `${who} ${kind} ${subject}`;
    const history = this.#histories.get(name) ?? { who, operations: [] };
    this.#histories.set(name, history);
    const sent = (this.#clock += 1);
    const answered = Number.POSITIVE_INFINITY;
    const operation: Operation = { kind, subject, value, sent, answered, state: "sent" };
    history.operations.push(operation);
    return operation;
  }

  /**
   * Compares stored data with the acknowledged operations. Returns lost operations, and the shelves of each
   * work.
   */
  async check(url: string) {
    const lost: unknown[] = [];
    const shelves = new Map<string, string[]>();
    const borrowed = new Map<string, string[]>();
    for (const username of this.#options.usernames) {
      const { on, seeds, loans } = await this.#read(url, username);
      for (const scan of loans) borrowed.set(scan, [...(borrowed.get(scan) ?? []), username]);
      for (const [work, shelf] of on) shelves.set(work, [...(shelves.get(work) ?? []), shelf]);
      for (const { who, operations } of this.#histories.values()) {
        if (who !== username) continue;
        const [first] = operations;
        if (first === undefined) continue;
        const { kind, subject } = first;
        const values: Partial<Record<Operation["kind"], string>> = {
          shelf: on.get(subject) ?? "",
          seed: seeds.has(subject) ? "yes" : "",
          loan: loans.has(subject) ? "yes" : "",
        };
        const found = values[kind];
        if (found !== undefined && !possibleValues(operations).has(found))
          lost.push({ who, kind, subject, found, operations: operations.slice(-4) });
        if (kind === "check-in") lost.push(...(await this.#lostCheckIns(url, who, operations)));
      }
    }
    for (const [scan, who] of borrowed) if (who.length > 1) lost.push({ kind: "loan", scan, who });
    return { lost, shelves };
  }

  /** Returns the possible current ratings of each patron, by work. */
  ratings() {
    const found = new Map<string, Set<string>[]>();
    for (const { operations } of this.#histories.values()) {
      const [first] = operations;
      if (first?.kind !== "rating") continue;
      found.set(first.subject, [...(found.get(first.subject) ?? []), possibleValues(operations)]);
    }
    return found;
  }

  counts() {
    const all = [...this.#histories.values()].flatMap(({ operations }) => operations);
    const count = (state: string) => all.filter((one) => one.state === state).length;
    return { acknowledged: count("acknowledged"), unknown: count("unknown") };
  }

  async #lostCheckIns(url: string, who: string, operations: Operation[]) {
    const acknowledged = operations.flatMap(({ id, state }) =>
      state === "acknowledged" && id !== undefined ? [id] : [],
    );
    if (acknowledged.length === 0) return [];
    const path = `/works/OL${operations[0]?.subject}W/check-ins.json`;
    const { entries } = await this.#get(url + path, who);
    const there = new Set(entries.map(({ id }) => id));
    return acknowledged.filter((id) => !there.has(id)).map((id) => ({ who, kind: "check-in", id }));
  }

  async #read(url: string, username: string) {
    const on = new Map<string, string>();
    for (const shelf of SHELF_KEYS) {
      const page = await this.#get(`${url}/people/${username}/books/${shelf}.json?limit=${PAGE}`, username);
      if (page.numFound !== page.reading_log_entries.length) {
        throw new Error(
          `${username} ${shelf}: numFound is ${page.numFound}, but there are ${page.reading_log_entries.length} entries`,
        );
      }
      for (const { work } of page.reading_log_entries) on.set(work.key.replace(/\D/g, ""), shelf);
    }
    const list = await this.#get(`${url}${this.#lists.get(username)}.json?_raw=true`, username);
    const seeds = new Set((list.seeds ?? []).map(({ key }) => key));
    const { loans } = await this.#get(`${url}/account/loans.json`, username);
    return { on, seeds, loans: new Set(loans.map(({ ocaid }) => ocaid)) };
  }

  async #get(address: string, username: string): Promise<Page> {
    const response = await fetch(address, { headers: { Cookie: this.#cookies.get(username) ?? "" } });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Page>;
  }

  #post(url: string, username: string, { path, body }: { path: string; body: object }) {
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
 * Returns the values that a subject may have: those of operations after whose response no acknowledged
 * operation was sent.
 */
function possibleValues(all: Operation[]) {
  const operations = all.filter(({ state }) => state !== "refused");
  const acknowledged = operations.filter(({ state }) => state === "acknowledged");
  const values = operations
    .filter(({ answered }) => !acknowledged.some(({ sent }) => sent > answered))
    .map(({ value }) => value);
  // Without an acknowledged operation the subject may still be absent.
  return new Set(acknowledged.length === 0 ? [...values, ""] : values);
}
