import * as z from "zod";
import { lastSegmentOf, makeNumberedKey } from "../../catalog/keys.ts";
import { keyOf, keysWithin, stringsOf, textOf, typeKeyOf } from "../../catalog/record.ts";
import { readRelated } from "../../db/records/related.ts";
import { agentRoleOf } from "../../export/agents.ts";
import { exportDateOf } from "../../export/dates.ts";
import { type Book, isbnOf } from "../../export/book.ts";
import { type Failure, failure } from "../http/failure.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { digitsOf, integer } from "../http/parameters.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { provideBooks, provideEdition } from "./find-books.ts";

const LIMIT = { default: 10, max: 100 };
const SORTS = { relevance: "", newest: "new", oldest: "old" } as const;

const texts = z.array(z.string());
const row = z
  .object({
    title: z.string(),
    isbn_10: texts,
    isbn_13: texts,
    publish_date: z.string().nullable(),
    author_names: texts,
    languages: texts,
  })
  .meta({ id: "BooklogrRow" });
const edition = row
  .extend({
    ol_id: z.string(),
    subtitle: z.string().nullable(),
    publish_year: z.int().nullable(),
    number_of_pages: z.int().nullable(),
    physical_format: z.string().nullable(),
    publishers: texts,
    subjects: texts,
    author_ids: texts,
    work_ids: texts,
  })
  .meta({ id: "BooklogrEdition" });
const work = z
  .object({
    ol_id: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    authors: texts,
    subjects: texts,
    subject_people: texts,
    subject_places: texts,
    covers: z.array(z.int()),
    series: texts,
  })
  .meta({ id: "BooklogrWork" });

/** Metadata server of booklogr: https://github.com/Mozzo1000/openlibrary-local-db */
export const booklogrSearch = operation({
  id: "booklogrSearch",
  summary: "Search editions with an ISBN for booklogr",
  tag: "lookup",
  path: { query: z.string().max(1000) },
  query: {
    limit: integer(z.int().gte(1).lte(LIMIT.max)).default(LIMIT.default),
    sort: z.enum(["relevance", "newest", "oldest"]).default("relevance"),
    lang: z.string().optional().describe("Code of a language, such as eng"),
  },
  responses: {
    200: { description: "Editions, one of each work", schema: z.array(row) },
    404: { description: "Nothing found" },
  },
  async handle({ path: { query: q }, query: { limit, sort, lang } }, context) {
    const known = await provideEdition(q, context);
    const language = lang === undefined ? [] : [lang];
    const found =
      known === undefined ? await provideBooks({ q, limit, sort: SORTS[sort], language }, context) : [known];
    const rows = found.filter((book) => isbnOf(book) !== undefined).map(toRow);
    if (rows.length === 0) throw notFound("Not found");
    return json(rows, { cacheControl: searchCacheControl(context) });
  },
});

export const booklogrEdition = operation({
  id: "booklogrEdition",
  summary: "Get an edition for booklogr",
  tag: "lookup",
  path: { identifier: z.string().max(100).describe("ISBN, or record id such as OL1M") },
  responses: {
    200: { description: "Edition", schema: edition },
    404: { description: "Edition not found" },
  },
  async handle({ path: { identifier } }, context) {
    const book = await provideEdition(identifier, context);
    if (book === undefined) throw notFound(`Edition ${identifier} not found`);
    const body: z.output<typeof edition> = {
      ...toRow(book),
      ol_id: book.id,
      subtitle: book.subtitle ?? null,
      publish_year: exportDateOf(book.issued).single?.year ?? null,
      number_of_pages: book.pages ?? null,
      physical_format: book.format ?? null,
      publishers: book.publishers,
      subjects: book.subjects,
      author_ids: authorsOf(book).flatMap(({ url }) =>
        url === undefined ? [] : [url.slice(book.site.length)],
      ),
      work_ids: book.work === undefined ? [] : [book.work.url.slice(book.site.length)],
    };
    return json(body, { cacheControl: REVALIDATE });
  },
});

export const booklogrWork = operation({
  id: "booklogrWork",
  summary: "Get a work for booklogr",
  tag: "lookup",
  path: { work_id: digitsOf("work") },
  responses: {
    200: { description: "Work", schema: work },
    404: { description: "Work not found" },
  },
  async handle({ path: { work_id: digits } }, context) {
    const key = makeNumberedKey("work", digits, context.settings.RECORD_PREFIX);
    const { records } = await readRelated(catalogReader(context), { works: [key], authors: [] });
    const record = records.get(key) ?? {};
    if (typeKeyOf(record) !== "/type/work") throw notFound(`Work ${lastSegmentOf(key)} not found`);
    const covers = Array.isArray(record["covers"]) ? record["covers"] : [];
    const body: z.output<typeof work> = {
      ol_id: lastSegmentOf(keyOf(record) ?? key),
      title: textOf(record["title"]) ?? null,
      description: textOf(record["description"]) ?? null,
      authors: keysWithin(record["authors"], "author"),
      subjects: stringsOf(record["subjects"]),
      subject_people: stringsOf(record["subject_people"]),
      subject_places: stringsOf(record["subject_places"]),
      covers: covers.filter((id) => typeof id === "number" && id > 0).map(Number),
      series: keysWithin(record["series"], "series"),
    };
    return json(body, { cacheControl: REVALIDATE, records: [key] });
  },
});

function toRow(book: Book): z.output<typeof row> {
  return {
    title: book.title,
    isbn_10: book.isbn10,
    isbn_13: book.isbn13,
    publish_date: book.date ?? null,
    author_names: authorsOf(book).map(({ name }) => name),
    languages: book.languages,
  };
}

function authorsOf({ agents }: Book) {
  return agents.filter((agent) => agentRoleOf(agent) === "author");
}

/** Makes the 404 of the contract. */
function notFound(message: string): Failure {
  return failure("not_found.book", {}, { message, body: { message } });
}
