import type { Json } from "../../catalog/record.ts";
import type { Completion, Correction, Document, Hits, PlainSearch } from "../engine.ts";
import type { PlainScheme } from "../plain-fields.ts";
import { type Plan, toMatchPlan } from "../plan/plan.ts";
import { type PlainPlan, planPlainQuery } from "../plan/plain-query.ts";
import { ALL, allOf } from "../query/query.ts";
import {
  type TypedOptions,
  type TypedText,
  matchAllWords,
  matchStartingWords,
  matchWholeWords,
  mayOutgrowStem,
  possibleStemsOf,
  parseTypedText,
} from "../typed-text.ts";
import { PLAIN_SCHEMES } from "./plain-search.ts";

export interface Completed {
  readonly document: Document;
  /** 0: the whole name, 1: its beginning, 2: words of it. */
  readonly band: number;
  readonly popularity: number;
}

export type WorkCompletion = Pick<Completion, "text" | "limit"> & { readonly typed: TypedText };
export type PlainCompletion = WorkCompletion & Pick<Completion, "filters"> & { readonly scheme: PlainScheme };

export interface CompletionSource {
  /**
   * Finds works whose title has all the words, the last one as a beginning: the whole title first, then its beginning,
   * then words anywhere, each by popularity. Pseudo-works are left out. One letter starts too many words for the index,
   * so only the `LETTER_WORKS_MAX` most popular works (with the other words) are searched for it, in their sort title.
   */
  works(completion: WorkCompletion): Promise<Completed[]>;
  /**
   * Finds documents by their name in the same order, at least `SAME_NAMES`; subjects by popularity alone. For one letter
   * the `LETTER_DOCUMENTS_MAX` most popular documents are searched.
   */
  plain(completion: PlainCompletion): Promise<Completed[]>;
  search(scheme: PlainScheme, search: PlainSearch): Promise<Hits>;
}

export const KNOWN_WORDS_MAX = 100;
/** Number of titles, the most popular ones, among which the best are searched (Q841). */
export const POPULAR_TITLES_MAX = 300;
export const LETTER_WORKS_MAX = 5000;
export const LETTER_DOCUMENTS_MAX = 20_000;
/** Number of whole names compared with the typed text letter by letter. */
export const SAME_NAMES = 20;

export const TITLE = { columns: ["title"], stemmed: true } as const;
const NAMES: Readonly<Record<PlainScheme, TypedOptions>> = {
  author: { columns: ["name", "alternate_names"], stemmed: false },
  subject: { columns: ["name"], stemmed: true },
  list: { columns: ["name"], stemmed: true },
};

export const COMPLETED_MEMBERS = [
  "key",
  "title",
  "subtitle",
  "cover_i",
  "first_publish_year",
  "author_name",
  "edition_count",
] as const;

/** Score factors by band, which make the kinds comparable. */
const BAND_FACTORS = [4, 2, 1];

/** Minimum length of a text whose spelling is corrected, in UTF-16 units. */
const CORRECTED_LENGTH_MIN = 4;

/**
 * Implements `SearchEngine.complete`. Without a word it returns the subjects with most works, and nothing for the other
 * kinds. A text that nothing begins with is corrected, and completed once more (Q831). Documents of the scheme `any` have a
 * `score`.
 */
export async function completeText(
  source: CompletionSource,
  completion: Completion,
  correct: (text: string) => Promise<Correction | undefined>,
): Promise<Document[]> {
  const { scheme, text, limit, isVerbatim = false } = completion;
  if (limit === 0) return [];
  const typed = parseTypedText(text);
  if (typed === undefined) return scheme === "subject" ? topSubjects(source, completion) : [];
  const completed = await completeTyped(source, completion, typed);
  if (completed.length > 0 || isVerbatim || text.length < CORRECTED_LENGTH_MIN) return completed;
  const corrected = (await correct(text))?.replacements.get(text) ?? "";
  const other = parseTypedText(corrected);
  return other === undefined ? [] : completeTyped(source, { ...completion, text: corrected }, other);
}

async function completeTyped(
  source: CompletionSource,
  { scheme, text, limit, filters }: Completion,
  typed: TypedText,
): Promise<Document[]> {
  if (scheme === "any") return completeAny(source, { text, typed, limit, filters });
  const completed =
    scheme === "work"
      ? await source.works({ text, typed, limit })
      : await completeNames(source, { scheme, text, typed, limit, filters });
  return completed.map(({ document }) => document);
}

/** Puts the name written exactly as typed, ignoring case, before names that fold to the same form. */
async function completeNames(source: CompletionSource, completion: PlainCompletion): Promise<Completed[]> {
  const typed = completion.text.trim().toLowerCase();
  const rank = ({ document, band }: Completed): number =>
    band === 0 && String(document["name"] ?? "").toLowerCase() === typed ? 0 : 1;
  const completed = await source.plain(completion);
  return completed.toSorted((a, b) => rank(a) - rank(b)).slice(0, completion.limit);
}

async function topSubjects(source: CompletionSource, { limit, filters }: Completion): Promise<Document[]> {
  const sort = [{ field: "work_count", descending: true }];
  const search = { query: ALL, filters, sort, start: 0, rows: limit };
  return [...(await source.search("subject", search)).documents];
}

/** Finds the best documents of all kinds, by quality of the match and popularity. */
async function completeAny(
  source: CompletionSource,
  completion: Omit<PlainCompletion, "scheme">,
): Promise<Document[]> {
  const kinds = await Promise.all([
    source.works(completion),
    ...PLAIN_SCHEMES.map((scheme) => completeNames(source, { ...completion, scheme })),
  ]);
  return kinds
    .flat()
    .map(({ document, band, popularity }) => ({
      document,
      score: (BAND_FACTORS[band] ?? 1) * Math.log(2 + Math.max(0, popularity)),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, completion.limit)
    .map(({ document, score }) => Object.assign({ score }, document));
}

/**
 * Returns the options for the words of a name: `loose` also finds stems that the typed beginning does not start, and
 * `strict` tells which of these are meant. Both are the same object if there are no such stems.
 */
export function nameOptions({ scheme, typed }: PlainCompletion): {
  strict: TypedOptions;
  loose: TypedOptions;
} {
  const strict = NAMES[scheme];
  const isLoose = strict.stemmed && mayOutgrowStem(typed);
  return { strict, loose: isLoose ? { ...strict, stems: possibleStemsOf(typed) } : strict };
}

export function filterPlan({ filters, scheme }: PlainCompletion): PlainPlan {
  return planPlainQuery(allOf(filters), scheme);
}

/** Returns the document of a completed work: its type and `COMPLETED_MEMBERS`. */
export function toCompletedDocument(members: Readonly<Record<string, Json | undefined>>): Document {
  const present = COMPLETED_MEMBERS.flatMap((name) => {
    const value = members[name] ?? undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { type: "work", ...Object.fromEntries(present) };
}

/**
 * Returns the plan to be checked of a text whose words repeat: other texts read each word only a few times. `isLetter`: the
 * last letter is not searched in full text.
 */
export function typedPlan(typed: TypedText, options: TypedOptions, isLetter: boolean): Plan {
  const words = [...typed.whole, typed.last].flatMap(({ tokens }) => tokens);
  if (new Set(words).size === words.length) return { kind: "all" };
  if (isLetter) return toMatchPlan(matchWholeWords(typed, options));
  return {
    kind: "or",
    of: [matchAllWords(typed, options), matchStartingWords(typed, options)].map(toMatchPlan),
  };
}
