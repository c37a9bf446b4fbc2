import { Buffer } from "node:buffer";
import { type IndexOptions } from "../../db/indexing/apply.ts";
import { createIndex } from "../../db/indexing/search-index.ts";
import { createEngine } from "../../db/search/embedded-engine.ts";
import {
  type EngineName,
  type Generation,
  type IndexNotes,
  type IndexReader,
  readIndexState,
} from "../../db/search/generation.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import { createSolrEngine } from "../../db/solr/solr-engine.ts";
import { createSolrIndex } from "../../db/solr/solr-index.ts";
import type { Database } from "../../db/statement.ts";
import type { SearchEngine, SearchIndex } from "../../search/engine.ts";
import { derived } from "../http/derived-answers.ts";
import type { Stores } from "../http/bindings.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Settings } from "../http/settings.ts";

/** How long an isolate keeps in mind which generation of the index answers, in seconds. */
const GENERATION_SECONDS = 10;

interface Known {
  readonly generation: Generation;
  /** When the last rebuild began: a generation is never built twice without another value. */
  readonly started: string | null;
  readonly facetValues: Map<number, string>;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** By the isolate's cache, of which there is one an isolate (and one a service under test). */
const known = new WeakMap<object, Known>();

/** The engine that answers now: the live generation of the index, read near the reader. */
export async function engineOf(context: RequestContext): Promise<SearchEngine> {
  const { generation, facetValues } = await liveGeneration(context);
  const { stores, settings } = context;
  const database = stores.search.withSession("first-unconstrained");
  const keepFacets = facetKeeper(context);
  return engineAt(database, settings, { generation, facetValues, keepFacets });
}

/** How long counts over many works are kept, in seconds (Q77). */
const KEPT_FACETS_SECONDS = 300;

function facetKeeper(context: RequestContext): NonNullable<IndexReader["keepFacets"]> {
  return async (name, make) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
    return derived(context, {
      name: `counts:v1:${Buffer.from(hash).toString("base64url")}`,
      seconds: KEPT_FACETS_SECONDS,
      make: async () => ({ fields: await make(), asOf: context.now }),
    });
  };
}

/** The same for what has just been written: as the primary has it. */
export async function newestEngine({ stores, settings }: RequestContext): Promise<SearchEngine> {
  const { live } = await readIndexState(notesOf(stores, settings));
  return engineAt(stores.search, settings, { generation: live });
}

function engineAt(
  database: Database,
  settings: Settings,
  { generation, ...kept }: Pick<IndexReader, "generation" | "facetValues" | "keepFacets">,
): SearchEngine {
  const [solr, prefix] = [solrOf(settings), settings.RECORD_PREFIX];
  return solr === undefined || settings.SEARCH_ENGINE === "embedded"
    ? createEngine(database, generation, { prefix, ...kept })
    : createSolrEngine(solr, generation, { prefix });
}

/** The engine that answers, and the one in its shadow. */
export function enginesOf({
  SEARCH_ENGINE: engine,
  SEARCH_SHADOW: isShadowed,
}: Settings): [EngineName, ...EngineName[]] {
  if (!isShadowed) return [engine];
  return [engine, engine === "solr" ? "embedded" : "solr"];
}

/** Where it is noted how the index is that answers. */
export function notesOf({ search }: Pick<Stores, "search">, settings: Settings): IndexNotes {
  return { database: search, engine: settings.SEARCH_ENGINE };
}

/** How to reach Solr; undefined where nothing is in it. */
export function solrOf(settings: Settings): SolrSettings | undefined {
  const { SOLR_URL: url, SOLR_SECRET: credentials } = settings;
  if (!enginesOf(settings).includes("solr")) return undefined;
  if (url === "") throw new Error("an index is to be in Solr, and there is no SOLR_URL");
  return { url: url.replace(/\/$/, ""), credentials, collection: settings.SOLR_COLLECTION };
}

/** What an index is written with. */
interface IndexHome extends Pick<IndexOptions, "prefix" | "now"> {
  readonly search: IndexNotes;
  readonly solr: SolrSettings | undefined;
}

/** Generations of the index, for what writes them. */
export function indexOf(
  { search, solr, prefix, now }: IndexHome,
  options: Pick<IndexOptions, "generations" | "aggregates" | "known">,
): SearchIndex {
  const all = { ...options, prefix, now };
  if (search.engine === "embedded") return createIndex(search.database, all);
  if (solr === undefined) throw new Error("an index in Solr without its address");
  return createSolrIndex(solr, search, all);
}

async function liveGeneration({ stores, settings, cache, now }: RequestContext): Promise<Known> {
  const kept = known.get(cache);
  if (kept !== undefined && kept.expires > now) return kept;
  const { live, started } = await readIndexState({
    ...notesOf(stores, settings),
    database: stores.search.withSession("first-unconstrained"),
  });
  const isSame = kept?.generation === live && kept.started === started;
  const facetValues = isSame ? kept.facetValues : new Map<number, string>();
  const next = { generation: live, started, facetValues, expires: now + GENERATION_SECONDS * 1000 };
  known.set(cache, next);
  return next;
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
