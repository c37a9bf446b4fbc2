import { SolrRequestError } from "./local-parameters.ts";

/** Names that begin with one of these and a dot, or are one of them, ask for what is not to be had: a switch may be off. */
const REFUSED = new Set(
  "analytics clustering collapse csv debug elevate expand facet group hl json mlt rq shards stats stream terms tv".split(
    " ",
  ),
);
/** Of those, names that are known: taken as they are, or about nothing that an answer shows. */
const KNOWN = new Set(
  (
    "facet facet.field facet.query facet.prefix facet.contains facet.contains.ignoreCase facet.limit facet.offset " +
    "facet.mincount facet.sort facet.method facet.threads facet.enum.cache.minDf json.nl"
  ).split(" "),
);
/** Parameters of which some values are taken. */
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
 * Throws SolrRequestError that names a parameter that such engines know and this one cannot do. `own`: names that are
 * one handler's. Other names are the client's own, or tune what is decided here (Q560).
 */
export function checkParameters(parameters: URLSearchParams, own: readonly string[] = []): void {
  for (const [name, value] of parameters) {
    if (own.includes(name)) continue;
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
