import { type TextKey, TextError } from "../../catalog/texts.ts";
/** Key of an error of the search listener. */
export type SolrErrorKey = Extract<TextKey, `bad_request.solr_${string}`>;

/** Error for an invalid request of the search listener; becomes 400. */
export class SolrRequestError extends TextError<SolrErrorKey> {}

/** Local parameters before a query: `{!terms f=key}`. */
interface LocalParameters {
  /** Name of the parser; undefined for the default one. */
  parser: string | undefined;
  values: ReadonlyMap<string, string>;
  text: string;
}

const BEFORE = /^\{!((?:[^"'}]|"[^"]*"|'[^']*')*)\}(.*)$/s;
const ITEM = /(?:([\w.]+)=)?("[^"]*"|'[^']*'|[^\s"']+)/g;
const QUOTES = /^["']|["']$/g;
/** Pattern of tuning parameters, which have no effect here, as in the parameters of the request. */
const MOOT =
  /^(?:cache|cost|tag|method|qf|p[fs][23]?|qs|tie|bq|bf|boost|uf|sow|lowercaseOperators|stopwords)$/;

/** Reads the local parameters of a query. Throws SolrRequestError for those that no parser here knows. */
export function parseLocalParameters(query: string, known: readonly string[]): LocalParameters {
  const [, inside, rest = ""] = BEFORE.exec(query) ?? [];
  if (inside === undefined) return { parser: undefined, values: new Map(), text: query };
  let parser: string | undefined;
  const values = new Map<string, string>();
  for (const [item, name, written = ""] of inside.matchAll(ITEM)) {
    const value = written.replace(QUOTES, "");
    if (name === undefined ? value.startsWith("$") : written.startsWith("$") || !isKnown(name, known))
      throw new SolrRequestError("bad_request.solr_unsupported", { name: item });
    if (name === undefined || name === "type") parser = value;
    else values.set(name, value);
  }
  return { parser, values, text: (values.get("v") ?? rest).trim() };
}

function isKnown(name: string, known: readonly string[]): boolean {
  return name === "v" || name === "type" || known.includes(name) || MOOT.test(name);
}

/** Families of unsupported parameters, refused unless the feature is switched off. */
const REFUSED = new Set(
  "analytics clustering collapse csv debug elevate expand facet group hl json mlt rq shards stats stream terms tv".split(
    " ",
  ),
);
/** Names of these that are accepted: they are supported, or do not affect the answer. */
const KNOWN = new Set(
  (
    "facet facet.field facet.query facet.prefix facet.contains facet.contains.ignoreCase facet.limit facet.offset " +
    "facet.mincount facet.sort facet.method facet.threads facet.enum.cache.minDf json.nl"
  ).split(" "),
);
const VALUES = new Map([
  ["debugQuery", ["false", "off"]],
  ["facet.missing", ["false", "off"]],
  ["overwrite", ["true"]],
  ["update.chain", ["tolerant-chain"]],
  ["defType", ["lucene", "edismax", "dismax"]],
]);
const OFF = new Set(["false", "off", "no"]);
const OF_A_FIELD = /^f\.[^.]+\./;

/**
 * Throws a SolrRequestError with the name of a parameter that such engines support and this one does not. `handlerNames` has the
 * names of one handler. Other names are the client's own, or tune settings that are fixed here (Q560).
 */
export function checkParameters(parameters: URLSearchParams, handlerNames: readonly string[] = []): void {
  for (const [name, value] of parameters) {
    if (handlerNames.includes(name)) continue;
    const values = VALUES.get(name);
    if (values === undefined && isRefused(name, parameters))
      throw new SolrRequestError("bad_request.solr_unsupported", { name });
    if (values?.includes(value) === false)
      throw new SolrRequestError("bad_request.solr_value", { name, value });
  }
}

function isRefused(name: string, parameters: URLSearchParams): boolean {
  const plain = name.replace(OF_A_FIELD, "");
  const [family = ""] = plain.split(".", 1);
  return REFUSED.has(family) && !KNOWN.has(plain) && !OFF.has(parameters.get(family) ?? "");
}
