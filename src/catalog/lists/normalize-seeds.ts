import { DEFAULT_PREFIX, keyFromOlid, lastSegment } from "../keys.ts";
import { type Json, isObject, textOf } from "../record.ts";
import { SEED_NOTES_LENGTH, SEED_POSITION_LENGTH, SEED_SUBJECT_LENGTH } from "./limits.ts";
import { type Seed, annotation, isSubjectSeed, positionText, seedKey } from "./seed.ts";

/** What is wrong with a seed, in the words that clients know. */
export const EMPTY_SEED = "Seed key cannot be empty";
export const INVALID_SEED = "Invalid seed";

/** A seed as it is stored, or what is wrong with it. */
type NormalizedSeed = { readonly seed: Seed } | { readonly failure: string };

const RECORD_KEY = /^\/(?:works|books|authors)\/([^/]+)$/;

/**
 * A seed in any of the forms that clients send, as it is stored: keys, numbers of records, paths of
 * subjects, subject strings, `{key}`, `{thing: {key}, notes, position}`. Whether the record exists is not looked at.
 */
export function normalizeSeed(input: Json, prefix = DEFAULT_PREFIX): NormalizedSeed {
  if (typeof input === "string") return seedOfText(input, prefix);
  if (!isObject(input)) return { failure: INVALID_SEED };
  const { thing, key } = input;
  if (isObject(thing)) {
    const text = thing["key"];
    return typeof text === "string" ? annotated(seedOfText(text, prefix), input) : { failure: INVALID_SEED };
  }
  return typeof key === "string" ? seedOfText(key, prefix) : { failure: INVALID_SEED };
}

/**
 * Seeds as they are stored, each key once: the first of several counts. The first failure is told. What `stored` holds
 * under a key that is none any more stays as it is.
 */
export function normalizeSeeds(
  inputs: readonly Json[],
  prefix = DEFAULT_PREFIX,
  stored: readonly Json[] = [],
): { readonly seeds: Json[] } | { readonly failure: string } {
  const known = new Map(stored.map((seed) => [seedKey(seed), seed]));
  const seeds = new Map<string, Json>();
  for (const input of inputs) {
    const normalized = normalizeSeed(input, prefix);
    const seed = "failure" in normalized ? known.get(seedKey(input)) : normalized.seed;
    if (seed === undefined) return "failure" in normalized ? normalized : { failure: INVALID_SEED };
    const key = seedKey(seed) ?? "";
    if (!seeds.has(key)) seeds.set(key, seed);
  }
  return { seeds: [...seeds.values()] };
}

function seedOfText(given: string, prefix: string): NormalizedSeed {
  const text = given.trim();
  if (text === "") return { failure: EMPTY_SEED };
  if (text.startsWith("/subjects/")) return subjectSeed(subjectOfPath(text));
  if (isSubjectSeed(text)) return subjectSeed(text);
  // Q255: lists cannot be seeds of lists.
  const segment = RECORD_KEY.exec(text)?.[1];
  const key = keyFromOlid(segment ?? text, prefix) ?? "";
  if (!RECORD_KEY.test(key)) return { failure: INVALID_SEED };
  if (segment === undefined) return { seed: { key } };
  return segment === lastSegment(key) ? { seed: { key: text } } : { failure: INVALID_SEED };
}

/** `/subjects/person:a,b` is `person:a_b`; subjects of the usual kind get their `subject:`. */
function subjectOfPath(path: string): string {
  const text = lastSegment(path).replaceAll(",", "_").replaceAll("__", "_");
  return isSubjectSeed(text) ? text : `subject:${text}`;
}

function subjectSeed(text: string): NormalizedSeed {
  const hasName = text.slice(text.indexOf(":") + 1).trim() !== "";
  return hasName && text.length <= SEED_SUBJECT_LENGTH ? { seed: text } : { failure: INVALID_SEED };
}

/** The same with notes and position; subjects have none, and what is blank is none. */
function annotated(normalized: NormalizedSeed, input: Record<string, Json | undefined>): NormalizedSeed {
  if ("failure" in normalized || typeof normalized.seed === "string") return normalized;
  const notes = textMember(input["notes"]);
  const position = textMember(input["position"]);
  if (notes === undefined || position === undefined) return { failure: INVALID_SEED };
  if (notes.length > SEED_NOTES_LENGTH) {
    return { failure: `Notes on a seed may have ${SEED_NOTES_LENGTH} characters` };
  }
  if (position.length > SEED_POSITION_LENGTH) {
    return { failure: `The position of a seed may have ${SEED_POSITION_LENGTH} characters` };
  }
  const said = annotation(notes.trim(), position.trim());
  const reference = { key: seedKey(normalized.seed) ?? "" };
  return { seed: Object.keys(said).length === 0 ? reference : { thing: reference, ...said } };
}

/** A text, a text object or a number; "" for what is absent, undefined for anything else. */
function textMember(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  return positionText(value) ?? textOf(value);
}
