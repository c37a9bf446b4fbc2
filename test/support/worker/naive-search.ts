import { EBOOK_ACCESS_LEVELS } from "../../../src/catalog/ebook-access.ts";
import { countReaders, countRatings, sortableRatingOf } from "../../../src/search/documents/popularity.ts";
import { subjectKeyOf } from "../../../src/search/documents/subject-key.ts";
import type { EditionDocument, WorkDocument } from "../../../src/search/documents/types.ts";
import type { Leaf, Query, Value } from "../../../src/search/query/query.ts";
import { queryTermsOf } from "../../../src/search/text/analysis.ts";
import { stem } from "../../../src/search/text/stem.ts";
import { catenationOf, wordsOf } from "../../../src/search/text/words.ts";

/** Result of matching one document without an index. Undefined: the condition has no word, so it decides nothing. */
type Verdict = boolean | undefined;
type Book = WorkDocument | EditionDocument;

const STEMMED = new Set(
  (
    "title subtitle alternative_title alternative_subtitle series_name chapter subject time publisher publish_place " +
    "publish_date by_statement first_sentence format title_suggest"
  ).split(" "),
);
const PLAIN = new Set("author_name author_alternative_name place person contributor".split(" "));
const DEFAULTS =
  "alternative_title author_name series_name chapter author_alternative_name subject place person time publisher contributor oclc lccn".split(
    " ",
  );
const IDENTIFIERS = "ia oclc lccn isbn key edition_key author_key series_key series_position".split(" ");
const ALWAYS = new Set(
  (
    "key title title_suggest ebook_access has_fulltext public_scan_b edition_count ratings_count readinglog_count " +
    "want_to_read_count ebook_count_i trending_z_score ratings_sortable"
  ).split(" "),
);
const NUMBERS = new Set(
  (
    "edition_count cover_i number_of_pages_median ratings_count readinglog_count want_to_read_count osp_count lexile " +
    "ebook_count_i publish_year first_publish_year"
  ).split(" "),
);

/** Returns true if a work matches all queries and has an edition that meets the clauses. */
export function naiveMatch(
  work: WorkDocument,
  queries: readonly Query[],
  editionClauses: readonly Query[] = [],
): boolean {
  if (!queries.every((query) => verdict(query, work) === true)) return false;
  const clauses = editionClauses.filter((clause) => clause.op !== "all");
  if (clauses.length === 0 || work.edition_count === 0) return true;
  return work.editions.some((edition) => clauses.every((clause) => verdict(clause, edition) !== false));
}

function verdict(query: Query, book: Book): Verdict {
  switch (query.op) {
    case "all":
      return true;
    case "none":
      return false;
    case "not": {
      const inner = verdict(query.of, book);
      return inner === undefined ? undefined : !inner;
    }
    case "match":
      return leafVerdict(query, book);
    default: {
      const parts = query.of.map((part) => verdict(part, book)).filter((part) => part !== undefined);
      if (parts.length === 0) return undefined;
      return query.op === "and" ? parts.every(Boolean) : parts.some(Boolean);
    }
  }
}

function leafVerdict({ field, value }: Leaf, book: Book): Verdict {
  const anything =
    value.kind === "exists" || (value.kind === "pattern" && value.parts.every((part) => part === ""));
  if (field === null) return anything ? true : defaultVerdict(value, book);
  if (anything) return ALWAYS.has(field) || valuesOf(book, field).some((text) => text !== "");
  if (STEMMED.has(field) || PLAIN.has(field)) return textVerdict(value, [field], book);
  if (field === "ebook_access") {
    const rank = (text: string): number => EBOOK_ACCESS_LEVELS.findIndex((level) => level === text);
    return compared(value, [rank(book.ebook_access)], (text) => (rank(text) === -1 ? undefined : rank(text)));
  }
  if (NUMBERS.has(field)) {
    const number = (text: string): number | undefined => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined);
    return compared(value, valuesOf(book, field).map(Number), number);
  }
  if (field === "has_fulltext" || field === "public_scan_b") {
    return "text" in value && value.text === String(book[field]);
  }
  if (field === "oclc" || field === "lccn") return numberVerdict(field, value, book);
  if (value.kind === "range") return compared(value, valuesOf(book, field), (text) => text);
  return valuesOf(book, field).some((text) => exact(text, value));
}

function numberVerdict(field: string, value: Value, book: Book): Verdict {
  const whole = valuesOf(book, field).some((text) => exact(text, value));
  if (!("text" in value) || /^\d+$/.test(value.text)) return whole;
  const words = textVerdict(value, ["oclc", "lccn"], book);
  return words === undefined ? undefined : whole || words;
}

function defaultVerdict(value: Value, book: Book): Verdict {
  const text = textVerdict(value, DEFAULTS, book);
  const literal = "text" in value ? value.text : value.kind === "pattern" ? (value.parts[0] ?? "") : "";
  if (!/\d/.test(literal)) return text;
  if (value.kind === "pattern" && (literal.length < 6 || value.parts.length > 2)) return text;
  const same = (one: string): boolean => ("text" in value ? one === literal : one.startsWith(literal));
  const isbn = literal.replaceAll("-", "").toUpperCase();
  return (
    text === true ||
    IDENTIFIERS.some((field) => valuesOf(book, field).some((one) => one !== "" && same(one))) ||
    ("text" in value && valuesOf(book, "isbn").includes(isbn))
  );
}

function textVerdict(value: Value, fields: readonly string[], book: Book): Verdict {
  if (value.kind === "word" || value.kind === "phrase") {
    const terms = queryTermsOf(value.text);
    const [first] = terms;
    if (first === undefined) return undefined;
    const forms =
      terms.length > 1
        ? [terms.flatMap(({ tokens }) => tokens)]
        : [first.tokens, ...first.others.map((other) => [other])];
    return forms.some((form) => fields.some((field) => hasPhrase(book, field, { form, prefix: false })));
  }
  if (value.kind !== "pattern") return false;
  if (value.parts.length > 2 || value.parts.at(-1) !== "" || value.parts[0] === "") {
    throw new Error("the naive search knows no vocabulary");
  }
  const form = queryTermsOf(value.parts[0] ?? "").flatMap(({ tokens }) => tokens);
  if (form.length === 0) return undefined;
  return fields.some(
    (field) =>
      hasPhrase(book, field, { form, prefix: true }) || hasPhrase(book, field, { form, prefix: false }),
  );
}

function hasPhrase(
  book: Book,
  field: string,
  { form, prefix }: { readonly form: readonly string[]; readonly prefix: boolean },
): boolean {
  const stemmed = STEMMED.has(field);
  const wanted = stemmed
    ? form.map((token, at) => (prefix && at === form.length - 1 ? token : stem(token)))
    : form;
  const last = wanted.length - 1;
  return valuesOf(book, field).some((text) =>
    runsOf(text, stemmed).some((run) =>
      run.some((_token, start) =>
        wanted.every((token, at) => {
          const found = run[start + at];
          return prefix && at === last ? found?.startsWith(token) === true : found === token;
        }),
      ),
    ),
  );
}

const stemmedRuns = new Map<string, readonly string[][]>();
const plainRuns = new Map<string, readonly string[][]>();

/** The tokens of a text, and those of its words that can be written as one. */
function runsOf(text: string, stemmed: boolean): readonly string[][] {
  const known = stemmed ? stemmedRuns : plainRuns;
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const words = wordsOf(text);
  const tokens = words.flatMap(({ parts }) => parts);
  const joined = words.flatMap((word) => catenationOf(word) ?? []);
  const runs = [tokens, joined].map((run) => (stemmed ? run.map(stem) : [...run]));
  known.set(text, runs);
  return runs;
}

function exact(text: string, value: Value): boolean {
  if ("text" in value) return text === value.text;
  if (value.kind !== "pattern") return false;
  const pattern = value.parts
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join("[^]*");
  return new RegExp(`^${pattern}$`).test(text);
}

function compared<Type>(
  value: Value,
  values: readonly Type[],
  read: (text: string) => Type | undefined,
): boolean {
  if ("text" in value) {
    const wanted = read(value.text);
    return wanted !== undefined && values.includes(wanted);
  }
  if (value.kind !== "range") return false;
  const from = value.from === null ? null : read(value.from);
  const to = value.to === null ? null : read(value.to);
  if (from === undefined || to === undefined) return false;
  return values.some(
    (one) =>
      (from === null || one > from || (one === from && value.includesFrom)) &&
      (to === null || one < to || (one === to && value.includesTo)),
  );
}

function valuesOf(book: Book, field: string): string[] {
  if (field.startsWith("id_"))
    return [...((book.identifiers as Record<string, readonly string[]>)[field] ?? [])];
  const derived = "counts" in book ? workValue(book, field) : editionValue(book, field);
  if (derived !== undefined) return derived;
  const value = (book as unknown as Record<string, unknown>)[field];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function editionValue(edition: EditionDocument, field: string): string[] | undefined {
  if (field === "publisher_facet") return [...(edition.publisher ?? [])];
  return undefined;
}

function workValue(work: WorkDocument, field: string): string[] | undefined {
  const subject = /^(subject|person|place|time)_(facet|key)$/.exec(field);
  if (subject !== null) {
    const names = work[subject[1] as "subject" | "person" | "place" | "time"] ?? [];
    return subject[2] === "facet" ? [...names] : names.map(subjectKeyOf);
  }
  switch (field) {
    case "publisher_facet":
      return [...(work.publisher ?? [])];
    case "author_facet":
      return (work.author_key ?? []).map((key, at) => `${key} ${work.author_name?.[at] ?? ""}`);
    case "title_suggest":
      return [work.title];
    case "ratings_count":
      return [String(countRatings(work.counts.ratings))];
    case "ratings_sortable":
      return [String(sortableRatingOf(work.counts.ratings))];
    case "readinglog_count":
      return [String(countReaders(work.counts))];
    case "want_to_read_count":
      return [String(work.counts.wantToRead)];
    default:
      return undefined;
  }
}
