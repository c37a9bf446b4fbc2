import * as z from "zod";
import { SolrError } from "../../db/solr/client.ts";
import type { Hits, SearchEngine, Sort } from "../../search/engine.ts";
import { FacetsMissingError } from "../../search/facets.ts";
import { TooBroadError, TooBroadPartError } from "../../search/plan/too-broad.ts";
import { validationFailed } from "../http/errors.ts";
import { Failure, failure } from "../http/failure.ts";
import { loggable, logLine } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { NO_STORE } from "../http/reply.ts";
import { engineOf, isAnonymous, isPrintDisabled } from "./engine.ts";
import { invalid } from "../http/input-failures.ts";
import type { Text } from "../../catalog/texts.ts";

/** Type and context of failures in the form of pydantic's own validators. */
export const VALUE_ERROR = { type: "value_error", ctx: { error: {} } };

const INPUT_LENGTH = 200;

export function toQueryError(q: string, text: Text): Failure {
  const input = q.slice(0, INPUT_LENGTH);
  return validationFailed([invalid(["query", "q"], text, { ...VALUE_ERROR, input })]);
}

const RETRY_SECONDS = 5;
/** Messages of failures of the database, and of the runtime if it cannot reach the database. */
const ENGINE_FAILURE = /^D1_|network connection lost|internal error|storage/i;

/**
 * Runs a search. Turns failures of the index into 503 and logs them; turns a query that is too broad into 422, which
 * repeats `q` as it was sent, or into 400 if a part of it is (Q720).
 */
export async function withSearchErrors<Value>(run: () => Promise<Value>, q: string): Promise<Value> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof TooBroadPartError) throw new Failure(400, "too_broad", { text: thrown.text });
    if (thrown instanceof TooBroadError) throw toQueryError(q, thrown.text);
    // The message of such an error may repeat the client's words, which must not be read as a failure.
    if (thrown instanceof Failure) throw thrown;
    const error = loggable(thrown);
    if (!(error instanceof Error)) throw thrown;
    const isOfIndex = error instanceof FacetsMissingError || error instanceof SolrError;
    if (!isOfIndex && !ENGINE_FAILURE.test(error.message)) throw thrown;
    logLine("error", "search failure", { error: error.message });
    throw failure("unavailable.search", {}, { code: "search_unavailable", retryAfter: RETRY_SECONDS });
  }
}

/** Runs a search in the live engine. Throws 422 and 503 as `withSearchErrors` does. */
export function askIndex<Value>(
  context: RequestContext,
  q: string,
  ask: (engine: SearchEngine) => Promise<Value>,
): Promise<Value> {
  return withSearchErrors(async () => ask(await engineOf(context)), q);
}

const SEARCH_SECONDS = 60;

/** Returns the Cache-Control of a search: a minute, `no-store` if the user, availability or chance affect the response. */
export function searchCacheControl(
  context: RequestContext,
  { sort = [], availability = false }: { sort?: readonly Sort[]; availability?: boolean } = {},
): string {
  const isPersonal = !isAnonymous(context) || isPrintDisabled(context);
  const isVolatile = availability || sort.some(({ field }) => field === "random");
  return isPersonal || isVolatile ? NO_STORE : `public, max-age=${SEARCH_SECONDS}`;
}

export const NOTHING_FOUND: Hits = { numFound: 0, numFoundExact: true, documents: [] };

export const hitsSchema = z
  .object({
    numFound: z.int(),
    start: z.int(),
    numFoundExact: z.boolean(),
    docs: z.array(z.looseObject({})),
  })
  .meta({ id: "Hits" });
