import { setTimeout as sleep } from "node:timers/promises";
import { isbn13, title } from "./catalog.ts";
import type { Answer, BoxClient } from "./box-clients.ts";

/** Interval at which requests are sent, in milliseconds, and requests under way beyond which no more are sent. */
const TICK_MS = 20;
const UNDER_WAY_MAX = 100;
/** Works on the shelves of one patron, which a page lists. */
const SHELVED = 40;
const SHELVES = ["want-to-read", "currently-reading", "already-read"];
/** Pause of a harvester between pages, in milliseconds, as OAI-PMH clients make one. */
const HARVEST_PAUSE_MS = 500;

/** A value that was acknowledged, and those of requests without an answer, which may count or not. */
interface Entry {
  acknowledged: string | undefined;
  possible: Set<string>;
  isBusy: boolean;
}

export interface BoxWorld {
  readers: BoxClient[];
  patrons: { client: BoxClient; name: string }[];
  editors: BoxClient[];
  works: number;
  random: () => number;
}

/** Sends what users of a catalog send, and remembers what was acknowledged. */
export class BoxLoad {
  readonly ledger: Map<string, Entry> = new Map();
  /** Time of each answer in milliseconds, with its status and kind. */
  #answers: { kind: string; status: number; ms: number }[] = [];
  readonly kinds: Map<string, { count: number; failed: number; times: number[] }> = new Map();
  readonly refusals: Map<string, number> = new Map();
  #underWay = 0;
  #imported = 0;
  #harvest = "/oai?verb=ListRecords&metadataPrefix=oai_dc";
  readonly #world: BoxWorld;

  constructor(world: BoxWorld) {
    this.#world = world;
  }

  take() {
    return this.#answers.splice(0);
  }

  /** Sends so many requests a second until a time. */
  async run(rate: number, until: number) {
    const harvest = this.#harvestUntil(until);
    const started = Date.now();
    for (let sent = 0; Date.now() < until; await sleep(TICK_MS)) {
      for (; sent < ((Date.now() - started) / 1000) * rate; sent += 1) {
        if (this.#underWay < UNDER_WAY_MAX) void this.#next();
      }
    }
    await harvest;
    while (this.#underWay > 0) await sleep(TICK_MS);
  }

  /** Of 100 requests, 72 read, 14 change shelves, 6 edit, 2 import, 6 are those of agents. */
  async #next() {
    const { random } = this.#world;
    const dice = random() * 100;
    this.#underWay += 1;
    if (dice < 72) await this.#read();
    else if (dice < 86) await this.#shelve();
    else if (dice < 92) await this.#edit();
    else if (dice < 94) await this.#import();
    else await this.#askAsAgent();
    this.#underWay -= 1;
  }

  #pick<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.#world.random() * values.length)];
    if (value === undefined) throw new Error("nothing to choose from");
    return value;
  }

  async #timed(kind: string, ask: () => Promise<Answer>) {
    const started = performance.now();
    const answer = await ask();
    const ms = performance.now() - started;
    const isFailed = answer.status === 0 || answer.status >= 500;
    this.#answers.push({ kind, status: answer.status, ms });
    const entry = this.kinds.get(kind) ?? { count: 0, failed: 0, times: [] };
    this.kinds.set(kind, entry);
    entry.count += 1;
    if (isFailed) entry.failed += 1;
    else entry.times.push(ms);
    if (answer.status >= 400) {
      const name = `${kind} ${answer.status}`;
      this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    }
    return answer;
  }

  #read() {
    const { works, readers, patrons, random } = this.#world;
    const n = 1 + Math.floor(random() * works);
    const [, word = "", , other = ""] = title(n).split(" ");
    const client = random() < 0.3 ? this.#pick(patrons).client : this.#pick(readers);
    const [kind, path] = this.#pick([
      ["record", `/works/OL${n}W.json`],
      ["record", `/books/OL${2 * n - 1}M.json`],
      ["page", `/works/OL${n}W`],
      ["page", `/authors/OL${Math.ceil(n / 2)}A`],
      ["page", "/"],
      ["search", `/search.json?q=${word}+${other}&fields=key,title,author_name`],
      ["search", `/search?q=${word}`],
      ["lookup", `/api/books.json?bibkeys=ISBN:${isbn13(2 * n - 1)}&jscmd=data`],
      ["page", `/subjects/${word}`],
      ["feed", `/opds/search?q=${word}`],
    ] as const);
    return this.#timed(kind, () => client.ask(path));
  }

  async #write(key: string, value: string, send: () => Promise<Answer>) {
    const entry = this.ledger.get(key) ?? { acknowledged: undefined, possible: new Set(), isBusy: false };
    this.ledger.set(key, entry);
    if (entry.isBusy) return;
    entry.isBusy = true;
    const { status } = await send();
    if (status >= 200 && status < 300) {
      entry.acknowledged = value;
      entry.possible.clear();
    } else if (status === 0 || status >= 500) entry.possible.add(value);
    entry.isBusy = false;
  }

  #shelve() {
    const { random, patrons, works } = this.#world;
    const { client, name } = this.#pick(patrons);
    const work = 1 + Math.floor(random() * Math.min(SHELVED, works));
    const shelf = Math.floor(random() * SHELVES.length);
    const body = { bookshelf_id: String(shelf + 1), dont_remove: "true" };
    return this.#write(`shelf ${name} /works/OL${work}W`, SHELVES[shelf] ?? "", () =>
      this.#timed("shelf", () => client.json(`/works/OL${work}W/bookshelves.json`, body)),
    );
  }

  #edit() {
    const { random, editors, works } = this.#world;
    const key = `/works/OL${Math.ceil(works / 2) + Math.floor(random() * 200)}W`;
    const name = `Edited ${Math.floor(random() * 1e9)}`;
    const body = { key, type: { key: "/type/work" }, title: name };
    return this.#write(`title ${key}`, name, () =>
      this.#timed("edit", () => this.#pick(editors).json(`${key}.json`, body, { method: "PUT" })),
    );
  }

  async #import() {
    this.#imported += 1;
    const number = this.#imported;
    const name = `Imported book ${number} of the box`;
    const body = {
      title: name,
      source_records: [`box:${number}`],
      authors: [{ name: `Imported Author ${number % 7}` }],
      publishers: ["Box"],
      publish_date: "2001",
    };
    const client = this.#pick(this.#world.editors);
    const answer = await this.#timed("import", () => client.json("/api/import", body));
    const key = answer.status === 200 ? JSON.parse(answer.text).edition?.key : undefined;
    if (key !== undefined) {
      this.ledger.set(`title ${key}`, { acknowledged: name, possible: new Set(), isBusy: false });
    }
  }

  #askAsAgent() {
    const { readers, random } = this.#world;
    const query = title(Math.floor(random() * 1000));
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_works", arguments: { q: query, limit: 5 } },
    };
    const headers = {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
    };
    return this.#timed("agent", () => this.#pick(readers).json("/mcp", call, { headers }));
  }

  async #harvestUntil(until: number) {
    const client = this.#pick(this.#world.readers);
    for (; Date.now() < until; await sleep(HARVEST_PAUSE_MS)) {
      const { status, text } = await this.#timed("harvest", () => client.ask(this.#harvest));
      if (status !== 200) continue;
      const token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1];
      const rest =
        token === undefined ? "&metadataPrefix=oai_dc" : `&resumptionToken=${encodeURIComponent(token)}`;
      this.#harvest = `/oai?verb=ListRecords${rest}`;
    }
  }

  /** Compares what a service has with what was acknowledged. Returns the differences. */
  async findLost({ patrons, readers }: Pick<BoxWorld, "patrons" | "readers">) {
    const found: Map<string, string> = new Map();
    for (const { client, name } of patrons) {
      for (const shelf of SHELVES) {
        const { text } = await client.ask(`/people/${name}/books/${shelf}.json?limit=100`);
        for (const { work } of JSON.parse(text).reading_log_entries)
          found.set(`shelf ${name} ${work.key}`, shelf);
      }
    }
    for (const key of this.ledger.keys()) {
      const [kind, record = ""] = key.split(" ");
      if (kind === "title")
        found.set(key, JSON.parse((await readers[0]?.ask(`${record}.json`))?.text ?? "{}").title);
    }
    return [...this.ledger].flatMap(([key, { acknowledged, possible }]) => {
      const value = found.get(key);
      const isRight = value === acknowledged || (value !== undefined && possible.has(value));
      return acknowledged === undefined || isRight ? [] : [`${key}: ${acknowledged}, not ${value}`];
    });
  }
}
