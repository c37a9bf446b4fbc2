import { Buffer } from "node:buffer";
import type { IndexReader, KnownCounts } from "../../db/search/index-reader.ts";
import { type IndexNotes, readIndexState } from "../../db/indexing/index-state.ts";
import type { EngineName, Generation, SearchEngine } from "../../search/engine.ts";
import { readTargets } from "../../db/redirects.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import type { Database } from "../../db/statement.ts";
import { followMergedKeys } from "../../search/merged-keys.ts";
import { readDerived } from "../http/derived-answers.ts";
import type { Stores } from "../http/bindings.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Settings } from "../http/settings.ts";

const GENERATION_SECONDS = 10;
/** Lifetime of cached counts over many works, in seconds (Q77). */
const FACETS_SECONDS = 300;

interface LiveGeneration {
  generation: Generation;
  /** Start of the last rebuild: every rebuild of a generation has another value. */
  started: string | null;
  facetValues: Map<number, string>;
  counts: KnownCounts;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** Live generation by in-memory cache, of which there is one per isolate (and per service under test). */
const liveGenerations = new WeakMap<object, LiveGeneration>();

/** Returns the engine of the live generation, read from the nearest replica. Keys of merged records find what they became. */
export async function engineOf(context: RequestContext): Promise<SearchEngine> {
  return followMergedKeys(await exactEngineOf(context), {
    prefix: context.settings.RECORD_PREFIX,
    readTargets: (keys) => readTargets(catalogReader(context), keys),
  });
}

/** Returns the engine for keys that are known not to be merged, which need no look into the catalog. */
export async function exactEngineOf(context: RequestContext): Promise<SearchEngine> {
  const { generation, facetValues, counts } = await readLiveGeneration(context);
  const { stores, settings } = context;
  const database = stores.search.withSession("first-unconstrained");
  const keepFacets: IndexReader["keepFacets"] = async (name, make) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
    return readDerived(context, {
      name: `counts:v1:${Buffer.from(hash).toString("base64url")}`,
      seconds: FACETS_SECONDS,
      make: async () => ({ fields: await make(), asOf: context.now }),
    });
  };
  return engineAt(database, settings, { generation, facetValues, counts, keepFacets });
}

/** Returns the engine of the live generation, read from the primary database. */
export async function newestEngine(
  { stores, settings }: Pick<RequestContext, "stores" | "settings">,
  database: Database = stores.search,
): Promise<SearchEngine> {
  const { live } = await readIndexState(indexNotesOf(stores, settings));
  return engineAt(database, settings, { generation: live });
}

async function engineAt(
  database: Database,
  settings: Settings,
  { generation, ...caches }: Pick<IndexReader, "generation" | "facetValues" | "counts" | "keepFacets">,
): Promise<SearchEngine> {
  const [solr, prefix] = [solrOf(settings), settings.RECORD_PREFIX];
  if (solr === undefined || settings.SEARCH_ENGINE === "embedded") {
    const { createEngine } = await import("../../db/search/embedded-engine.ts");
    return createEngine(database, generation, { prefix, ...caches });
  }
  const { createSolrEngine } = await import("../../db/solr/solr-engine.ts");
  return createSolrEngine(solr, generation, { prefix });
}

export function enginesOf({
  SEARCH_ENGINE: engine,
  SEARCH_SHADOW: isShadowed,
}: Settings): [EngineName, ...EngineName[]] {
  if (!isShadowed) return [engine];
  return [engine, engine === "solr" ? "embedded" : "solr"];
}

export function indexNotesOf({ search }: Pick<Stores, "search">, settings: Settings): IndexNotes {
  return { database: search, engine: settings.SEARCH_ENGINE };
}

/** Returns the settings of Solr; undefined if no engine is Solr. Throws without its address. */
export function solrOf(settings: Settings): SolrSettings | undefined {
  const { SOLR_URL: url, SOLR_SECRET: credentials } = settings;
  if (!enginesOf(settings).includes("solr")) return undefined;
  if (url === "") throw new Error("an index is to be in Solr, and there is no SOLR_URL");
  return { url: url.replace(/\/$/, ""), credentials, collection: settings.SOLR_COLLECTION };
}

async function readLiveGeneration(context: RequestContext): Promise<LiveGeneration> {
  const { stores, settings, cache, now } = context;
  const entry = liveGenerations.get(cache);
  if (entry !== undefined && entry.expires > now) return entry;
  const { live, started } = await readIndexState({
    ...indexNotesOf(stores, settings),
    database: stores.search.withSession("first-unconstrained"),
  });
  const isSame = entry?.generation === live && entry.started === started;
  const { facetValues, counts } = isSame
    ? entry
    : {
        facetValues: new Map<number, string>(),
        counts: { version: "", matches: new Map(), facets: new Map(), places: new Map() },
      };
  counts.places.clear();
  const next = { generation: live, started, facetValues, counts, expires: now + GENERATION_SECONDS * 1000 };
  liveGenerations.set(cache, next);
  return next;
}

const PRINT_DISABLED = /(?:^|;\s*)pd=[^;\s]/;
const EDITIONS = /(?:^|;\s*)SOLR_EDITIONS=([^;]*)/;
const SESSION = /(?:^|;\s*)session=/;

/** Returns true if the request has the cookie of print-disabled patrons, who can borrow more books. */
export function isPrintDisabled({ request }: RequestContext): boolean {
  return PRINT_DISABLED.test(request.headers.get("Cookie") ?? "");
}

/** Returns true if best editions are chosen: `editions=` decides, else a cookie; the default is true. */
export function choosesEditions({ url, request }: RequestContext): boolean {
  const cookie = EDITIONS.exec(request.headers.get("Cookie") ?? "")?.[1];
  const setting = url.searchParams.getAll("editions").at(-1) ?? cookie;
  return setting === undefined || setting.trim().toLowerCase() === "true";
}

export function isAnonymous({ request }: RequestContext): boolean {
  const { headers } = request;
  return !headers.has("Authorization") && !SESSION.test(headers.get("Cookie") ?? "");
}
