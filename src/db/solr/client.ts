import * as z from "zod";
import { AnswerTooLarge } from "../../catalog/bytes.ts";
import { DocumentsTooLarge } from "../records/record-rows.ts";

/** How to reach Solr. */
export interface SolrSettings {
  /** Such as `http://solr.example:8983/solr`. */
  readonly url: string;
  /** `user:password`; empty: none are sent. */
  readonly credentials: string;
  /** What the names of the collections begin with. */
  readonly collection: string;
}

/** What Solr failed with: it is away, too slow, or answers what is no answer. */
export class SolrError extends Error {
  override readonly name = "SolrError";

  constructor(
    message: string,
    /** Status of the answer; 0 without one, 408 when it did not come in time. */
    readonly status = 0,
  ) {
    super(message);
  }

  /** Whether there was no answer in time. */
  get isLate(): boolean {
    return this.status === LATE;
  }

  /** Whether what was sent is to blame: then a part of it may be taken. */
  get isRefusal(): boolean {
    return this.status === BAD_REQUEST;
  }
}

const BAD_REQUEST = 400;
/** Stands for no answer in time. */
const LATE = 408;
/** How long a question may take, and a write, in milliseconds. */
const LIMITS = { ask: 5000, write: 20_000 };
/** Limits of what nobody waits for: work behind the index, which nothing is lost by. */
export const PATIENT = { ask: 60_000, write: 60_000 };
/** How much earlier Solr itself gives up a question, in milliseconds. */
const EARLIER = 500;
/** Requests of one isolate that may wait at a time: more would only wait longer. */
export const WAITING_MAX = 100;
/** Maximum response size in bytes: four times the documents of one answer, which Solr escapes and wraps in JSON. */
const RESPONSE_BYTES = 32 * 1024 * 1024;
/** Longest part of a bad answer that a message repeats. */
const SHOWN = 300;

let waiting = 0;

/** One collection. */
export class Collection {
  readonly #settings: SolrSettings;
  readonly #limits: typeof LIMITS;
  /** Of the generation. */
  readonly name: string;

  constructor(settings: SolrSettings, generation: string, limits: Partial<typeof LIMITS> = {}) {
    this.#settings = settings;
    this.#limits = { ...LIMITS, ...limits };
    this.name = `${settings.collection}_${generation}`;
  }

  /** Where it is, by which it is told from all others. */
  get address(): string {
    return `${this.#settings.url}/${this.name}`;
  }

  /** Queries a handler with JSON. Throws `SolrError`, or `DocumentsTooLarge` for a response beyond `RESPONSE_BYTES`. */
  ask<Type>(handler: string, body: object, schema: z.ZodType<Type>): Promise<Type> {
    const { ask: limit } = this.#limits;
    const text = JSON.stringify({ ...body, params: { timeAllowed: limit - EARLIER } });
    return this.#send(handler, text, { schema, limit });
  }

  /** Asks a handler by parameters, of which one may come many times. */
  get<Type>(
    handler: string,
    parameters: readonly (readonly [string, string])[],
    schema: z.ZodType<Type>,
  ): Promise<Type> {
    const body = new URLSearchParams([["wt", "json"], ...parameters.map((one) => [...one])]);
    return this.#send(handler, body, { schema, limit: this.#limits.ask });
  }

  /**
   * Sends commands of updates, or documents. `visible`: what was sent is found as soon as this resolves; `inPlace`: only what
   * can be set in place is.
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

  /** Puts all segments together. Solr goes on when this is too late, and a second call waits for the same. */
  async merge(): Promise<void> {
    const limit = this.#limits.write;
    await this.#send("update?optimize=true&maxSegments=1", "{}", { schema: z.unknown(), limit });
  }

  async #send<Type>(
    handler: string,
    body: string | URLSearchParams,
    { schema, limit }: { readonly schema: z.ZodType<Type>; readonly limit: number },
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
      return checked(response.status, exact(await boundedText(response)), schema);
    } catch (error) {
      if (error instanceof SolrError || error instanceof AnswerTooLarge) throw error;
      const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
      throw new SolrError(`Solr: ${message}`, name === "TimeoutError" ? LATE : 0);
    } finally {
      waiting -= 1;
    }
  }
}

/** Reads a response body as text. Throws `DocumentsTooLarge` beyond `RESPONSE_BYTES` and stops reading. */
async function boundedText({ body }: Response): Promise<string> {
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

/** Versions of Solr's own have more digits than a number: they become texts. Most answers have none. */
function exact(json: string): string {
  return !json.includes('"_version_":') ? json : json.replaceAll(/"_version_":(-?\d+)/g, '"_version_":"$1"');
}

const headSchema = z.object({ responseHeader: z.object({ partialResults: z.boolean().optional() }) });

function checked<Type>(status: number, text: string, schema: z.ZodType<Type>): Type {
  const wrong = (what: string): SolrError => new SolrError(`Solr: ${what}: ${text.slice(0, SHOWN)}`, status);
  if (status !== 200) throw wrong(`status ${status}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw wrong("no JSON");
  }
  const head = headSchema.safeParse(answer);
  if (!head.success || head.data.responseHeader.partialResults) throw wrong("not the whole answer");
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw wrong("another answer than was asked for");
  return parsed.data;
}
