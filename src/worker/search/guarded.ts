import { SolrError } from "../../db/solr/client.ts";
import type { SearchEngine } from "../../search/engine.ts";
import { FacetsMissingError } from "../../search/facets.ts";
import { TooBroadError } from "../../search/plan/too-broad.ts";
import { CarrelError, validationFailed } from "../http/errors.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { engineOf } from "./engine.ts";

/** A failure that pydantic's own validators raise: its `ctx` is always the same. */
export const VALUE_ERROR = { type: "value_error", ctx: { error: {} } };

/** Characters of a refused query that the answer repeats. */
const INPUT_LENGTH = 200;

/** 422 of a query that is too complex, or that would look at too much. */
export function queryRefused(text: string, message: string): CarrelError {
  const failure = { ...VALUE_ERROR, loc: ["query", "q"], msg: `Value error, ${message}` };
  return validationFailed([{ ...failure, input: text.slice(0, INPUT_LENGTH) }]);
}

/** After how many seconds a client may try again when the index did not answer. */
const RETRY_SECONDS = 5;
/** What the database says of itself, and what the runtime says when it cannot be reached. */
const ENGINE_FAILURE = /^D1_|network connection lost|internal error|storage/i;

function isFailure(error: Error): boolean {
  const kinds = [FacetsMissingError, SolrError];
  return kinds.some((kind) => error instanceof kind) || ENGINE_FAILURE.test(error.message);
}

/**
 * Runs a search. What the index fails with becomes 503, and a line in the log; a query that
 * would look at too much becomes 422, which repeats `text`, the query as it was asked.
 */
export async function guarded<Value>(run: () => Promise<Value>, text: string): Promise<Value> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof TooBroadError) throw queryRefused(text, thrown.message);
    // What has an answer already may repeat the client's words, which are no failure.
    if (thrown instanceof CarrelError) throw thrown;
    const error = loggable(thrown);
    if (!(error instanceof Error) || !isFailure(error)) throw thrown;
    logLine("error", "search failure", { error: error.message });
    throw new CarrelError(503, "search_unavailable", {
      message: "Search is temporarily unavailable",
      headers: { "Retry-After": String(RETRY_SECONDS) },
    });
  }
}

/** The same for a question to the engine that answers now. */
export function askIndex<Value>(
  context: RequestContext,
  text: string,
  ask: (engine: SearchEngine) => Promise<Value>,
): Promise<Value> {
  return guarded(async () => ask(await engineOf(context)), text);
}
