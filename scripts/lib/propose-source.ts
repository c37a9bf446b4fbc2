import { setTimeout as sleep } from "node:timers/promises";
import { recordsPathOf } from "../../src/import/follow/position.ts";
import { parseManyRecords } from "../../src/import/follow/source.ts";
import { type CatalogRecord, isObject, tryParseJson } from "../../src/catalog/record.ts";
import { CommandError } from "./command.ts";

const TIMEOUT_MS = 30_000;
/** Attempts per request after 429, and for reads after 5xx and network errors; waits of 1, 2, 4, ... seconds between. */
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1000;
/** Maximum `Retry-After` that is honoured, in seconds. */
const RETRY_SECONDS_MAX = 120;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface SourceOptions {
  rate: number;
  /** Email or web address for the `User-Agent` header. */
  contact?: string | undefined;
  fetch?: typeof fetch;
}

export interface SourceAnswer {
  status: number;
  json: unknown;
  text: string;
  cookies: string[];
}

/** Client of the service that gets the corrections: paced, and with the operator's own credentials. */
export class Source {
  readonly url;
  #options;
  #next = 0;
  #credentials: Record<string, string> = {};

  constructor(url: string, options: SourceOptions) {
    if (!URL.canParse(url) || !/^https?:/.test(url)) throw new CommandError(`Not an address: ${url}`);
    this.url = new URL(url).origin;
    this.#options = options;
  }

  /** Sends these headers with each further request. Throws if others could read them. */
  authorize(credentials: Record<string, string>) {
    const { protocol, hostname } = new URL(this.url);
    if (protocol === "http:" && !LOOPBACK.test(hostname))
      throw new CommandError(`${this.url} would get the credentials in the open: use https.`);
    this.#credentials = credentials;
  }

  /** Reads the newest revisions by key. Keys of no record, and of one that has become another, are absent. */
  async readRecords(keys: readonly string[]): Promise<Map<string, CatalogRecord>> {
    const many =
      keys.length > 1 ? await this.send("GET", recordsPathOf(keys), { isPublic: true }) : undefined;
    const found = (many?.status === 200 && parseManyRecords(many.json)) || {};
    const records = new Map<string, CatalogRecord>();
    for (const key of keys) {
      // Some services return only single records, or leave out deleted ones.
      const record = Object.hasOwn(found, key) ? found[key] : await this.#readOne(key);
      if (isObject(record) && record["key"] === key) records.set(key, record);
    }
    return records;
  }

  async readRevision(key: string, revision: number): Promise<CatalogRecord | undefined> {
    const record = await this.#readOne(`${key}?v=${revision}`);
    return isObject(record) ? record : undefined;
  }

  /** Returns undefined if there is no such record. */
  async #readOne(entry: string) {
    const path = recordsPathOf([entry]);
    const { status, json, text } = await this.send("GET", path, { isPublic: true });
    if (status === 404 || status === 410) return undefined;
    if (status !== 200)
      throw new CommandError(`${this.url}${path} answered ${status}: ${text.slice(0, 300)}`);
    return json;
  }

  /** Throws a `CommandError` if the service does not answer. `isPublic`: without credentials, after redirects. Only reads are repeated: a write may have been stored. */
  async send(
    method: string,
    path: string,
    {
      json,
      headers = {},
      isPublic = false,
    }: { json?: unknown; headers?: Record<string, string>; isPublic?: boolean } = {},
  ): Promise<SourceAnswer> {
    const { fetch: send = fetch, rate, contact } = this.#options;
    const name = `Carrel/1.0 (propose${contact === undefined ? "" : `; ${contact}`})`;
    for (let attempt = 1; ; attempt += 1) {
      const now = Date.now();
      this.#next = Math.max(now, this.#next) + 1000 / rate;
      await sleep(this.#next - 1000 / rate - now);
      let problem;
      let seconds = 0;
      try {
        const response = await send(this.url + path, {
          method,
          headers: {
            Accept: "application/json",
            "User-Agent": name,
            ...(json !== undefined && { "Content-Type": "application/json" }),
            ...(!isPublic && this.#credentials),
            ...headers,
          },
          body: json === undefined ? null : JSON.stringify(json),
          // Credentials stay with the service that was named.
          redirect: isPublic ? "follow" : "manual",
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const { status } = response;
        const text = await response.text();
        const isLimited = status === 429 || (status >= 500 && method === "GET");
        if (!isLimited && status < 500)
          return { status, json: tryParseJson(text), text, cookies: response.headers.getSetCookie() };
        problem = `${this.url}${path} answered ${status}: ${text.slice(0, 300)}`;
        if (!isLimited) throw new CommandError(problem);
        seconds = Number(response.headers.get("Retry-After"));
      } catch (error) {
        if (error instanceof CommandError || !(error instanceof Error)) throw error;
        const { message } = error.cause instanceof Error ? error.cause : error;
        problem = `${this.url}${path} cannot be reached: ${message}`;
        if (method !== "GET") throw new CommandError(problem);
      }
      if (attempt === ATTEMPTS || seconds > RETRY_SECONDS_MAX) throw new CommandError(problem);
      await sleep(Math.max(FIRST_WAIT_MS * 2 ** (attempt - 1), seconds * 1000 || 0));
    }
  }
}
