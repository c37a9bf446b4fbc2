/** Error for an invalid request of the search listener; becomes 400 with the message. */
export class SolrRequestError extends Error {}

/** Local parameters before a query: `{!terms f=key}`. */
interface LocalParameters {
  /** Name of the parser; undefined for the default one. */
  readonly parser: string | undefined;
  readonly values: ReadonlyMap<string, string>;
  /** Text after them, or in `v`. */
  readonly text: string;
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
      throw new SolrRequestError(`local parameter '${item}' is not supported`);
    if (name === undefined || name === "type") parser = value;
    else values.set(name, value);
  }
  return { parser, values, text: (values.get("v") ?? rest).trim() };
}

function isKnown(name: string, known: readonly string[]): boolean {
  return name === "v" || name === "type" || known.includes(name) || MOOT.test(name);
}
