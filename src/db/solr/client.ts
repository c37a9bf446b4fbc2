import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { ResponseTooLarge } from "../../catalog/bytes.ts";
import { DocumentsTooLarge } from "../records/record-rows.ts";

export interface SolrSettings {
  readonly url: string;
  /** `user:password`; empty if Solr needs none. */
  readonly credentials: string;
  readonly collection: string;
}

/** Error thrown if Solr is unreachable or too slow, refuses a request, or sends an invalid response. */
export class SolrError extends Error {
  override readonly name = "SolrError";

  constructor(
    message: string,
    /** Status of the response; 0 without a response, 408 after a timeout. */
    readonly status = 0,
  ) {
    super(message);
  }

  get isLate(): boolean {
    return this.status === LATE;
  }

  /** True if Solr rejected the request; it may have applied a part of it. */
  get isRefusal(): boolean {
    return this.status === BAD_REQUEST;
  }
}

const BAD_REQUEST = 400;
const LATE = 408;
/** Time limits of a query and of a write, in milliseconds. */
const LIMITS = { ask: 5000, write: 20_000 };
/** Time limits of the indexer, which no client waits for, in milliseconds. */
export const WRITER_LIMITS = { ask: 60_000, write: 60_000 };
/** Time by which Solr itself stops a query before the limit, in milliseconds. */
const SOLR_EARLIER_MS = 500;
/** Maximum number of concurrent requests per isolate: more would only wait longer. */
export const WAITING_MAX = 100;
/** Maximum response size in bytes: four times the documents of one answer, which Solr escapes and wraps in JSON. */
const RESPONSE_BYTES = 32 * MIB;
/** Maximum length of an invalid response in an error message, in UTF-16 units. */
const QUOTED_MAX = 300;

let waiting = 0;

export class Collection {
  readonly #settings: SolrSettings;
  readonly #limits: typeof LIMITS;
  readonly name: string;

  constructor(settings: SolrSettings, generation: string, limits: Partial<typeof LIMITS> = {}) {
    this.#settings = settings;
    this.#limits = { ...LIMITS, ...limits };
    this.name = `${settings.collection}_${generation}`;
  }

  /** Address, unique to the collection. */
  get address(): string {
    return `${this.#settings.url}/${this.name}`;
  }

  /** Queries a handler with JSON. Throws `SolrError`, or `DocumentsTooLarge` for a response beyond `RESPONSE_BYTES`. */
  ask<Type>(handler: string, body: object, schema: z.ZodType<Type>): Promise<Type> {
    const { ask: limit } = this.#limits;
    const text = JSON.stringify({ ...body, params: { timeAllowed: limit - SOLR_EARLIER_MS } });
    return this.#send(handler, text, { schema, limit });
  }

  /** Queries a handler with parameters, which may be repeated. Throws as `ask` does. */
  get<Type>(
    handler: string,
    parameters: readonly (readonly [string, string])[],
    schema: z.ZodType<Type>,
  ): Promise<Type> {
    const body = new URLSearchParams([["wt", "json"], ...parameters.map((pair) => [...pair])]);
    return this.#send(handler, body, { schema, limit: this.#limits.ask });
  }

  /**
   * Sends documents or update commands. With `visible`, searches see the changes once this resolves. With `inPlace`, Solr
   * refuses changes that it cannot make in place. Throws `SolrError`.
   */
  async update(body: unknown, visible: boolean, { inPlace = false } = {}): Promise<void> {
    const parameters = new URLSearchParams({
      ...(visible && { softCommit: "true" }),
      ...(inPlace && { "update.partial.requireInPlace": "true" }),
    });
    await this.#send(`update?${parameters}`, JSON.stringify(body), {
      schema: z.unknown(),
      limit: this.#limits.write,
    });
  }

  /** Merges all segments. After a timeout Solr continues, and a second call waits for the same merge. */
  async merge(): Promise<void> {
    const limit = this.#limits.write;
    await this.#send("update?optimize=true&maxSegments=1", "{}", { schema: z.unknown(), limit });
  }

  async #send<Type>(
    handler: string,
    body: string | URLSearchParams,
    { schema, limit }: { schema: z.ZodType<Type>; limit: number },
  ): Promise<Type> {
    if (waiting >= WAITING_MAX) throw new SolrError("too many requests wait for Solr");
    waiting += 1;
    try {
      const { credentials } = this.#settings;
      const headers = new Headers();
      if (typeof body === "string") headers.set("Content-Type", "application/json");
      if (credentials !== "") headers.set("Authorization", `Basic ${btoa(credentials)}`);
      const signal = AbortSignal.timeout(limit);
      const response = await fetch(`${this.address}/${handler}`, {
        method: "POST",
        headers,
        body,
        signal,
      });
      return parseResponse(response.status, withTextVersions(await readBoundedText(response)), schema);
    } catch (error) {
      if (error instanceof SolrError || error instanceof ResponseTooLarge) throw error;
      const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
      throw new SolrError(`Solr: ${message}`, name === "TimeoutError" ? LATE : 0);
    } finally {
      waiting -= 1;
    }
  }
}

/** Reads a response body as text. Throws `DocumentsTooLarge` beyond `RESPONSE_BYTES` and stops reading. */
async function readBoundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = RESPONSE_BYTES;
  for await (const chunk of body ?? []) {
    left -= chunk.byteLength;
    if (left < 0) throw new DocumentsTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Turns internal versions into texts, because they have more digits than a number. Most responses have none. */
function withTextVersions(json: string): string {
  return !json.includes('"_version_":') ? json : json.replaceAll(/"_version_":(-?\d+)/g, '"_version_":"$1"');
}

const headSchema = z.object({ responseHeader: z.object({ partialResults: z.boolean().optional() }) });

function parseResponse<Type>(status: number, text: string, schema: z.ZodType<Type>): Type {
  const invalid = (problem: string): SolrError =>
    new SolrError(`Solr: ${problem}: ${text.slice(0, QUOTED_MAX)}`, status);
  if (status !== 200) throw invalid(`status ${status}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw invalid("no JSON");
  }
  const head = headSchema.safeParse(answer);
  if (!head.success || head.data.responseHeader.partialResults) throw invalid("not the whole answer");
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw invalid("another answer than was asked for");
  return parsed.data;
}
