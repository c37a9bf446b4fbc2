import { SolrRequestError } from "./local-parameters.ts";

/**
 * Names of unsupported features: names that begin with one of these and a dot, or are one of them, are refused, unless
 * the feature is switched off.
 */
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
/** Parameters with their accepted values. */
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
 * Throws a SolrRequestError with the name of a parameter that such engines support and this one does not. `own` has the
 * names of one handler. Other names are the client's own, or tune settings that are fixed here (Q560).
 */
export function checkParameters(parameters: URLSearchParams, handlerNames: readonly string[] = []): void {
  for (const [name, value] of parameters) {
    if (handlerNames.includes(name)) continue;
    const values = VALUES.get(name);
    if (values === undefined ? isRefused(name, parameters) : !values.includes(value))
      throw new SolrRequestError(`parameter '${name}' is not supported${values ? `: '${value}'` : ""}`);
  }
}

function isRefused(name: string, parameters: URLSearchParams): boolean {
  const plain = name.replace(OF_A_FIELD, "");
  const [family = ""] = plain.split(".", 1);
  return REFUSED.has(family) && !KNOWN.has(plain) && !OFF.has(parameters.get(family) ?? "");
}
