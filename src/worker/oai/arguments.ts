import { OaiError, badArgument } from "./errors.ts";

/** Arguments of a request by name. */
export type Arguments = ReadonlyMap<string, string>;

interface VerbArguments {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** It takes a token, which stands alone. */
  readonly isResumed?: boolean;
}

const SELECTED = { required: ["metadataPrefix"], optional: ["from", "until", "set"], isResumed: true };

const VERBS = {
  Identify: { required: [], optional: [] },
  ListMetadataFormats: { required: [], optional: ["identifier"] },
  ListSets: { required: [], optional: [], isResumed: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [] },
  ListIdentifiers: SELECTED,
  ListRecords: SELECTED,
} satisfies Readonly<Record<string, VerbArguments>>;

export type Verb = keyof typeof VERBS;

/** The name of the argument that goes on with a list. */
export const RESUMPTION = "resumptionToken";
/** Longest value of an argument, in UTF-16 units. */
const VALUE_LENGTH = 4096;

/** The verb of a request. */
export function verbOf(sent: URLSearchParams): Verb {
  const [verb, ...more] = sent.getAll("verb");
  if (verb === undefined) throw new OaiError("badVerb", "The argument verb is missing.");
  if (more.length > 0) throw new OaiError("badVerb", "The argument verb is repeated.");
  if (!isVerb(verb)) throw new OaiError("badVerb", "There is no such verb.");
  return verb;
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

/** The other arguments, if they are those of the verb. */
export function argumentsOf(verb: Verb, sent: URLSearchParams): Arguments {
  const { required, optional, isResumed }: VerbArguments = VERBS[verb];
  const given = new Map<string, string>();
  for (const [name, value] of sent) {
    if (name === "verb") continue;
    if (given.has(name)) throw badArgument(`The argument ${name} is repeated.`);
    if (value === "" || value.length > VALUE_LENGTH) throw badArgument(`The argument ${name} is not valid.`);
    given.set(name, value);
  }
  if (isResumed === true && given.has(RESUMPTION)) {
    if (given.size > 1) throw badArgument(`${RESUMPTION} stands alone.`);
    return given;
  }
  for (const name of given.keys()) {
    if (![...required, ...optional].includes(name)) {
      throw badArgument(`${verb} has no argument of the name ${name.slice(0, 100)}.`);
    }
  }
  for (const name of required) {
    if (!given.has(name)) throw badArgument(`The argument ${name} is missing.`);
  }
  return given;
}
