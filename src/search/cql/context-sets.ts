/** URI of the context set of CQL itself. */
export const CQL_SET = "info:srw/cql-context-set/1/cql-v1.2";
const DC_SET = "info:srw/cql-context-set/1/dc-v1.1";
const BATH_SET = "http://zing.z3950.org/cql/bath/2.0/";
const REC_SET = "info:srw/cql-context-set/2/rec-1.1";
const SORT_SET = "info:srw/cql-context-set/1/sort-v1.0";
/** Context set of the field names used by searches. Names without a prefix are looked up in the other sets first. */
const OWN_SET = "tag:carrel,2026:cql";

/** Context sets by the prefixes that need no declaration. */
export const CONTEXT_SETS: ReadonlyMap<string, string> = new Map([
  ["cql", CQL_SET],
  ["srw", CQL_SET],
  ["dc", DC_SET],
  ["bath", BATH_SET],
  ["rec", REC_SET],
  ["sort", SORT_SET],
  ["carrel", OWN_SET],
]);

/** Older URIs of the sets. */
const OTHER_URIS = new Map([
  ["info:srw/cql-context-set/1/cql-v1.1", CQL_SET],
  // URI used in examples of the specification.
  ["info:srw/context-sets/1/dc-v1.1", DC_SET],
  ["http://purl.org/dc/elements/1.1/", DC_SET],
  ["http://purl.org/dc/elements/1.1", DC_SET],
  ["http://www.loc.gov/zing/cql/dc-indexes/v1.0/", DC_SET],
  ["http://www.loc.gov/zing/cql/dc-indexes/", DC_SET],
]);

const PREFIXES = new Map([...CONTEXT_SETS].toReversed().map(([prefix, uri]) => [uri, prefix]));

/** Returns the prefix of a set in this service. Returns undefined for an unknown set. */
export function prefixOf(uri: string): string | undefined {
  return PREFIXES.get(OTHER_URIS.get(uri) ?? uri);
}
