import { DAY_MS } from "../../catalog/units.ts";
import { parseDatetime, formatDatetime } from "../../catalog/datetime.ts";
import type { HarvestSpan } from "../../db/history/harvest.ts";
import { type TextKey, type TextValues, TextError } from "../../catalog/texts.ts";
import type { Failure } from "../http/failure.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** Error codes of the protocol (OAI-PMH 2.0, 3.6). */
type OaiErrorCode =
  | "badArgument"
  | "badResumptionToken"
  | "badVerb"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noRecordsMatch";

/** Error of the protocol itself, which is sent with status 200. */
export class OaiError extends TextError {
  constructor(
    readonly code: OaiErrorCode,
    key: TextKey,
    values?: TextValues,
  ) {
    super(key, values);
  }
}

export function toBadArgument(key: TextKey, values?: TextValues): OaiError {
  return new OaiError("badArgument", key, values);
}

/**
 * Q594: turns a 429 into a 503, the only status that harvesters wait at (OAI-PMH 2.0, 3.1.2.2); undefined for other
 * errors.
 */
export function oaiError({ status, headers, message }: Failure): Reply | undefined {
  if (status !== 429) return undefined;
  return json({ detail: message }, { status: 503, headers, cacheControl: NO_STORE });
}

export type Arguments = ReadonlyMap<string, string>;

interface VerbArguments {
  required: readonly string[];
  optional: readonly string[];
  isResumable?: boolean;
}

const LIST_ARGUMENTS = {
  required: ["metadataPrefix"],
  optional: ["from", "until", "set"],
  isResumable: true,
};

const VERBS = {
  Identify: { required: [], optional: [] },
  ListMetadataFormats: { required: [], optional: ["identifier"] },
  ListSets: { required: [], optional: [], isResumable: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [] },
  ListIdentifiers: LIST_ARGUMENTS,
  ListRecords: LIST_ARGUMENTS,
} satisfies Readonly<Record<string, VerbArguments>>;

export type Verb = keyof typeof VERBS;

export const RESUMPTION = "resumptionToken";
const VALUE_LENGTH = 4096;

/** Reads the verb of a request. Throws badVerb. */
export function verbOf(parameters: URLSearchParams): Verb {
  const [verb, ...more] = parameters.getAll("verb");
  if (verb === undefined) throw new OaiError("badVerb", "oai.missing", { name: "verb" });
  if (more.length > 0) throw new OaiError("badVerb", "oai.repeated", { name: "verb" });
  if (!isVerb(verb)) throw new OaiError("badVerb", "oai.verb", { verb: verb.slice(0, 100) });
  return verb;
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

/** Reads the arguments of a verb. Throws badArgument. */
export function argumentsOf(verb: Verb, parameters: URLSearchParams): Arguments {
  const { required, optional, isResumable }: VerbArguments = VERBS[verb];
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (name === "verb") continue;
    if (values.has(name)) throw toBadArgument("oai.repeated", { name });
    if (value === "" || value.length > VALUE_LENGTH) throw toBadArgument("oai.invalid", { name });
    values.set(name, value);
  }
  if (isResumable === true && values.has(RESUMPTION)) {
    if (values.size > 1) throw toBadArgument("oai.resumption_alone");
    return values;
  }
  for (const name of values.keys()) {
    if (![...required, ...optional].includes(name)) {
      throw toBadArgument("oai.unknown", { verb, name: name.slice(0, 100) });
    }
  }
  for (const name of required) {
    if (!values.has(name)) throw toBadArgument("oai.missing", { name });
  }
  return values;
}

/**
 * Q592: delay in milliseconds after which a change appears in harvests; its datestamp is the delayed time. By then the
 * change is stored and every replica has it, so a harvest from the date of the last one misses nothing, regardless of
 * the order in which changes were stored.
 */
const SETTLED_MS = 60_000;
const SECOND_MS = 1000;

/** Datestamp, to the second, of a change made at `changed` (naive UTC). */
export function datestampOf(changed: string): string {
  return utcTextOf(parseDatetime(changed) + SETTLED_MS);
}

export function utcTextOf(milliseconds: number): string {
  return `${formatDatetime(milliseconds).slice(0, 19)}Z`;
}

const DATE = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d:\d\dZ)?$/;

/** Parses a day or a second into its beginning and length in milliseconds. Throws badArgument. */
function parseDate(name: string, text: string) {
  const match = DATE.exec(text);
  const length = match?.groups?.["time"] === undefined ? DAY_MS : SECOND_MS;
  const begin = match === null ? Number.NaN : Date.parse(text);
  // Date.parse takes the 30th of February for a day of March.
  const isReal = !Number.isNaN(begin) && utcTextOf(begin).startsWith(text.slice(0, 19));
  if (!isReal) throw toBadArgument("oai.date", { name });
  return { begin, length };
}

/** Reads the span of changes dated between `from` and `until`, both included. Throws badArgument. */
export function spanOf(values: Arguments, now: number): HarvestSpan {
  const from = values.get("from");
  const until = values.get("until");
  const first = from === undefined ? undefined : parseDate("from", from);
  const last = until === undefined ? undefined : parseDate("until", until);
  if (first !== undefined && last !== undefined) {
    if (first.length !== last.length) throw toBadArgument("oai.granularity");
    if (first.begin > last.begin) throw toBadArgument("oai.order");
  }
  const settled = formatDatetime(now - SETTLED_MS);
  return {
    from: first === undefined ? "" : changeTimeOf(first.begin),
    before: last === undefined ? settled : changeTimeOf(last.begin + last.length),
    settled,
  };
}

const YEAR_ZERO = Date.parse("0000-01-01T00:00:00Z");

/** Time of a change with that datestamp; empty for years before 0, which sort before all changes. */
function changeTimeOf(datestamp: number): string {
  const time = datestamp - SETTLED_MS;
  return time < YEAR_ZERO ? "" : formatDatetime(time);
}
