import { createEngine } from "../../db/search/engine.ts";
import { type Generation, type IndexReader, readIndexState } from "../../db/search/generation.ts";
import type { SearchEngine } from "../../search/engine.ts";
import type { RequestContext } from "../http/operation.ts";

/** How long an isolate keeps in mind which generation of the index answers, in seconds. */
const GENERATION_SECONDS = 10;

interface Known {
  readonly generation: Generation;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** By the isolate's cache, of which there is one an isolate (and one a service under test). */
const known = new WeakMap<object, Known>();

/** The engine that answers now: the live generation of the index, read near the reader. */
export async function engineOf(context: RequestContext): Promise<SearchEngine> {
  const { database, generation, prefix } = await indexReaderOf(context);
  return createEngine(database, generation, { prefix });
}

/** The index that answers now, for questions that are no searches. */
export async function indexReaderOf(context: RequestContext): Promise<IndexReader> {
  const generation = await liveGeneration(context);
  const { stores, settings } = context;
  const database = stores.search.withSession("first-unconstrained");
  return { database, generation, prefix: settings.RECORD_PREFIX };
}

async function liveGeneration({ stores, cache, now }: RequestContext): Promise<Generation> {
  const kept = known.get(cache);
  if (kept !== undefined && kept.expires > now) return kept.generation;
  const { live } = await readIndexState(stores.search.withSession("first-unconstrained"));
  known.set(cache, { generation: live, expires: now + GENERATION_SECONDS * 1000 });
  return live;
}

const PRINT_DISABLED = /(?:^|;\s*)pd=[^;\s]/;
const EDITIONS = /(?:^|;\s*)SOLR_EDITIONS=([^;]*)/;
const SESSION = /(?:^|;\s*)session=/;

/** Whether the reader has the cookie of print-disabled patrons, to whom more books are open. */
export function isPrintDisabled({ request }: RequestContext): boolean {
  return PRINT_DISABLED.test(request.headers.get("Cookie") ?? "");
}

/** Whether best editions may be chosen: `editions=`, else a cookie, else yes. */
export function choosesEditions({ url, request }: RequestContext): boolean {
  const cookie = EDITIONS.exec(request.headers.get("Cookie") ?? "")?.[1];
  const setting = url.searchParams.getAll("editions").at(-1) ?? cookie;
  return setting === undefined || setting.trim().toLowerCase() === "true";
}

/** Whether the reader has no account that the answer could depend on. */
export function isAnonymous({ request }: RequestContext): boolean {
  const { headers } = request;
  return !headers.has("Authorization") && !SESSION.test(headers.get("Cookie") ?? "");
}
