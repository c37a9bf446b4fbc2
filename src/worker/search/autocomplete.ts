import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import type { Completion, Document } from "../../search/engine.ts";
import { parseIsbn } from "../../catalog/identifiers/isbn.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { equals } from "../../search/query/query.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { boolean, lenientInteger } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { readLive } from "../../db/records/records.ts";
import { AUTOCOMPLETE_LIMIT } from "./known-languages.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";

const WORK_MEMBERS = "key title subtitle cover_i first_publish_year author_name edition_count".split(" ");

const completionParameters = {
  q: z.string().default("").describe("Text typed so far"),
  limit: lenientInteger(AUTOCOMPLETE_LIMIT.default, { min: 0, max: AUTOCOMPLETE_LIMIT.max }),
  // Q831
  correct: boolean()
    .default(true)
    .describe("False to complete a text that no name begins with only as it is typed"),
};
type CompletionParams = z.output<z.ZodObject<typeof completionParameters>>;

/**
 * Finds documents by the beginning of their names: authors without the dates of a heading, works also by a whole ISBN.
 * Throws 422 and 503.
 */
export function findCompletions(
  completion: Completion,
  context: RequestContext,
): Promise<readonly Document[]> {
  const { scheme, limit } = completion;
  const text = scheme === "author" ? parseAuthorHeading(completion.text).name : completion.text;
  const isbn = scheme === "work" || scheme === "any" ? parseIsbn(text) : undefined;
  return askIndex(context, text, async (engine) => {
    if (isbn === undefined) return engine.complete({ ...completion, text });
    const page = { filters: [], editionClauses: [], sort: [], start: 0, rows: limit, withEditions: false };
    return (await engine.works({ query: equals("isbn", isbn), ...page, fields: ["type", ...WORK_MEMBERS] }))
      .documents;
  });
}

interface Kind extends Pick<Completion, "scheme" | "filters"> {
  folder: string;
  letter: "W" | "A" | "L";
  type: string;
  row(document: Document): Document;
  /** Makes a row from a record that is not indexed yet. */
  rowOfRecord(key: string, record: CatalogRecord): Document;
}

async function complete(
  kind: Kind,
  { q, limit, correct }: CompletionParams,
  context: RequestContext,
): Promise<Reply> {
  const { scheme, filters, folder, letter, row } = kind;
  const { RECORD_PREFIX: prefix } = context.settings;
  const [, digits] = new RegExp(`(?<![a-z0-9])${prefix}(\\d{1,15})${letter}(?![a-z0-9])`, "i").exec(q) ?? [];
  const rows =
    digits === undefined
      ? (await findCompletions({ scheme, filters, text: q, limit, isVerbatim: !correct }, context)).map(row)
      : await readRows(folder + prefix + digits + letter, kind, context);
  return rowsReply(rows.slice(0, limit), context);
}

async function readRows(key: string, kind: Kind, context: RequestContext): Promise<Document[]> {
  const { type, row, rowOfRecord } = kind;
  const documents = await askIndex(context, key, (engine) => engine.getMany([key]));
  if (documents.length > 0) return documents.map(row);
  const record = await readLive(catalogReader(context), key);
  if (record?.type !== type) return [];
  return record.key === key
    ? [rowOfRecord(key, latestRecordOf(record))]
    : readRows(record.key, kind, context);
}

function rowsReply(rows: readonly Document[], context: RequestContext): Reply {
  return json(rows, { cacheControl: searchCacheControl(context) });
}

function pick(document: Document, names: readonly string[]): Document {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = document[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export const anyAutocomplete = operation({
  id: "anyAutocomplete",
  summary: "Autocomplete titles and names of any type",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, authors, subjects, lists and series, best match first",
      schema: z.array(
        z.object({
          key: z.string(),
          type: z.string(),
          title: z.string().optional(),
          name: z.string(),
          score: z.number().describe("Relevance score, for ordering only"),
        }),
      ),
    },
  },
  async handle({ query: { q, limit, correct } }, context) {
    const completion = { scheme: "any", filters: [], text: q, limit, isVerbatim: !correct } as const;
    const documents = await findCompletions(completion, context);
    const rows = Array.from(documents, ({ key = "", type = "", title, name = title ?? "", score = 0 }) => {
      return { key, type, ...(title !== undefined && { title }), name, score };
    });
    return rowsReply(rows, context);
  },
});

const AUTHOR_MEMBERS = ["key", "name", "alternate_names", "birth_date", "death_date", "work_count"];

const AUTHORS: Kind = {
  scheme: "author",
  filters: [],
  folder: "/authors/",
  letter: "A",
  type: "/type/author",
  row(document) {
    const { top_work: work, top_subjects: subjects = [] } = document;
    return { ...pick(document, AUTHOR_MEMBERS), works: work === undefined ? [] : [work], subjects };
  },
  rowOfRecord(key, record) {
    const members = ["name", "birth_date", "death_date"].flatMap((name) => {
      const text = textOf(record[name]);
      return text === undefined ? [] : [[name, text]];
    });
    // Q75: only rows of records have a type.
    return { key, type: "author", ...Object.fromEntries(members), work_count: 0, works: [], subjects: [] };
  },
};

export const authorsAutocomplete = operation({
  id: "authorsAutocomplete",
  summary: "Autocomplete author names",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Authors, exact matches first",
      schema: z.array(
        z.looseObject({
          key: z.string(),
          name: z.string().optional(),
          work_count: z.int(),
          works: z.array(z.string()).describe("Title of the work with the most editions"),
          subjects: z.array(z.string()),
        }),
      ),
    },
  },
  handle: ({ query }, context) => complete(AUTHORS, query, context),
});

const SERIES: Kind = {
  scheme: "list",
  filters: [equals("list_type", "series")],
  folder: "/series/",
  letter: "L",
  type: "/type/series",
  row: (document) => pick(document, ["key", "name"]),
  rowOfRecord: (key, record) => ({ key, name: textOf(record["name"]) ?? "" }),
};

export const seriesAutocomplete = operation({
  id: "seriesAutocomplete",
  summary: "Autocomplete series names",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Series, exact matches first",
      schema: z.array(z.object({ key: z.string(), name: z.string().optional() })),
    },
  },
  handle: ({ query }, context) => complete(SERIES, query, context),
});

export const subjectsAutocomplete = operation({
  id: "subjectsAutocomplete",
  summary: "Autocomplete subject names",
  tag: "search",
  query: {
    ...completionParameters,
    type: z.string().default("").describe("Type of subject: subject, person, place or time; default all"),
  },
  responses: {
    200: {
      description: "Subjects, those with the most works first",
      schema: z.array(z.object({ key: z.string(), name: z.string(), work_count: z.int() })),
    },
  },
  async handle({ query: { q, limit, correct, type } }, context) {
    const filters = type === "" ? [] : [equals("subject_type", type)];
    const completion = { scheme: "subject", text: q, limit, filters, isVerbatim: !correct } as const;
    const documents = await findCompletions(completion, context);
    return rowsReply(
      documents.map((document) => pick(document, ["key", "name", "work_count"])),
      context,
    );
  },
});

const WORKS: Kind = {
  scheme: "work",
  filters: [],
  folder: "/works/",
  letter: "W",
  type: "/type/work",
  row(document) {
    const title = textOf(document["title"]) ?? "";
    const subtitle = textOf(document["subtitle"]);
    const fullTitle = subtitle === undefined ? title : `${title}: ${subtitle}`;
    return { ...pick(document, WORK_MEMBERS), full_title: fullTitle, name: title };
  },
  rowOfRecord(key, record) {
    const [title = "", subtitle] = [textOf(record["title"]), textOf(record["subtitle"])];
    return WORKS.row({ key, title, ...(subtitle === undefined ? {} : { subtitle }) });
  },
};

export const worksAutocomplete = operation({
  id: "worksAutocomplete",
  summary: "Autocomplete work titles",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, exact matches first",
      schema: z.array(z.looseObject({ key: z.string(), full_title: z.string(), name: z.string() })),
    },
  },
  handle: ({ query }, context) => complete(WORKS, query, context),
});
