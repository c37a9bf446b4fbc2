import * as z from "zod";
import { textOf, typeKey } from "../../catalog/record.ts";
import type { Completion, Document } from "../../search/engine.ts";
import { equals } from "../../search/query/query.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { recordsByKey } from "../../db/records/by-key.ts";
import { AUTOCOMPLETE_LIMIT } from "./languages-autocomplete.ts";
import { searchCacheControl } from "./answers.ts";
import { askIndex } from "./guarded.ts";

/** Parameters of all autocomplete routes. */
const completionParameters = {
  q: z.string().default("").describe("What was typed so far"),
  limit: lenientInteger(AUTOCOMPLETE_LIMIT.default, { min: 0, max: AUTOCOMPLETE_LIMIT.max }),
};

/** Documents by the beginning of their names. */
export function completed(
  completion: Omit<Completion, "filters"> & Pick<Partial<Completion>, "filters">,
  context: RequestContext,
): Promise<readonly Document[]> {
  return askIndex(context, completion.text, (engine) => engine.complete({ filters: [], ...completion }));
}

/** The document of one key; undefined when the index has none yet. */
async function indexed(key: string, context: RequestContext): Promise<Document | undefined> {
  const [document] = await askIndex(context, key, (engine) => engine.getMany([key]));
  return document;
}

/** The list of rows as it is answered. */
function rowsReply(rows: readonly Document[], context: RequestContext): Reply {
  return json(rows, { cacheControl: searchCacheControl(context, { sort: [] }) });
}

/** Members of a document that have a value, in the order of the names. */
function picked(document: Document, names: readonly string[]): Document {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = document[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Record number in a text, also in a URL and in any case; `letter` is that of the kind of record. */
function olidIn(text: string, letter: "W" | "A" | "L", prefix: string): string | undefined {
  const expression = new RegExp(`(?<![a-z0-9])${prefix}(\\d{1,15})${letter}(?![a-z0-9])`, "i");
  const [, digits] = expression.exec(text) ?? [];
  return digits === undefined ? undefined : `${prefix}${digits}${letter}`;
}

/** `GET /_autocomplete`: works, authors, subjects, lists and series by the beginning of a name. */
export const anyAutocomplete = operation({
  id: "anyAutocomplete",
  summary: "Anything by the beginning of a word of its name or title",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, authors, subjects, lists and series, best first",
      schema: z.array(
        z.object({
          key: z.string(),
          type: z.string(),
          title: z.string().optional(),
          name: z.string(),
          score: z.number().describe("Says nothing but the order"),
        }),
      ),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const found = await completed({ scheme: "any", text: q, limit }, context);
    return rowsReply(found.map(anyRow), context);
  },
});

function anyRow(document: Document): Document {
  const { key = "", type = "", title, name = title ?? "", score = 0 } = document;
  return { key, type, ...picked({ title: title ?? "" }, title === undefined ? [] : ["title"]), name, score };
}

const AUTHOR_MEMBERS = ["key", "name", "alternate_names", "birth_date", "death_date", "work_count"];

/** `GET /authors/_autocomplete`: authors by the beginning of a name, or by their number. */
export const authorsAutocomplete = operation({
  id: "authorsAutocomplete",
  summary: "Authors by the beginning of a word of their name",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Authors, the whole name first",
      schema: z.array(
        z.looseObject({
          key: z.string(),
          name: z.string().optional(),
          work_count: z.int(),
          works: z.array(z.string()).describe("The title of the work with most editions"),
          subjects: z.array(z.string()),
        }),
      ),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "A", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? (await completed({ scheme: "author", text: q, limit }, context)).map(authorRow)
        : await authorByKey(`/authors/${olid}`, context);
    return rowsReply(found.slice(0, limit), context);
  },
});

function authorRow(document: Document): Document {
  const { top_work: work, top_subjects: subjects = [] } = document;
  return { ...picked(document, AUTHOR_MEMBERS), works: work === undefined ? [] : [work], subjects };
}

/** The author of a key, from the record when the index has it not yet. */
async function authorByKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [authorRow(known)];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/author") return [];
  const own = Object.entries({
    name: textOf(record["name"]),
    birth_date: textOf(record["birth_date"]),
    death_date: textOf(record["death_date"]),
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  // Q75: only such a row has a type.
  return [{ key, type: "author", ...Object.fromEntries(own), work_count: 0, works: [], subjects: [] }];
}

const SERIES = equals("list_type", "series");

/** `GET /series/_autocomplete`: series by the beginning of their name, or by their number. */
export const seriesAutocomplete = operation({
  id: "seriesAutocomplete",
  summary: "Series by the beginning of a word of their name",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Series, the whole name first",
      schema: z.array(z.object({ key: z.string(), name: z.string().optional() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "L", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? await completed({ scheme: "list", text: q, limit, filters: [SERIES] }, context)
        : await seriesByKey(`/series/${olid}`, context);
    return rowsReply(
      found.slice(0, limit).map((document) => picked(document, ["key", "name"])),
      context,
    );
  },
});

/** The series of a key, from its record when the index has it not yet. */
async function seriesByKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [known];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/series") return [];
  return [{ key, name: textOf(record["name"]) ?? "" }];
}

/** `GET /subjects_autocomplete`: subjects by the beginning of a word, those with most works first. */
export const subjectsAutocomplete = operation({
  id: "subjectsAutocomplete",
  summary: "Subjects by the beginning of a word of their name",
  tag: "search",
  query: {
    ...completionParameters,
    type: z.string().default("").describe("Only these: subject, person, place or time"),
  },
  responses: {
    200: {
      description: "Subjects, those with most works first",
      schema: z.array(z.object({ key: z.string(), name: z.string(), work_count: z.int() })),
    },
  },
  async handle({ query: { q, limit, type } }, context) {
    const filters = type === "" ? [] : [equals("subject_type", type)];
    const found = await completed({ scheme: "subject", text: q, limit, filters }, context);
    return rowsReply(
      found.map((document) => picked(document, ["key", "name", "work_count"])),
      context,
    );
  },
});

const WORK_MEMBERS = [
  "key",
  "title",
  "subtitle",
  "cover_i",
  "first_publish_year",
  "author_name",
  "edition_count",
];

/** `GET /works/_autocomplete`: works by the beginning of their title, or by their number. */
export const worksAutocomplete = operation({
  id: "worksAutocomplete",
  summary: "Works by the beginning of a word of their title",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, the whole title first",
      schema: z.array(z.looseObject({ key: z.string(), full_title: z.string(), name: z.string() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "W", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? await completed({ scheme: "work", text: q, limit }, context)
        : await workByKey(`/works/${olid}`, context);
    return rowsReply(found.slice(0, limit).map(workRow), context);
  },
});

function workRow(document: Document): Document {
  const title = textOf(document["title"]) ?? "";
  const subtitle = textOf(document["subtitle"]);
  const fullTitle = subtitle === undefined ? title : `${title}: ${subtitle}`;
  return { ...picked(document, WORK_MEMBERS), full_title: fullTitle, name: title };
}

/** The work of a key, from its record when the index has it not yet. */
async function workByKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [known];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/work") return [];
  const subtitle = textOf(record["subtitle"]);
  const title = textOf(record["title"]) ?? "";
  return [subtitle === undefined ? { key, title } : { key, title, subtitle }];
}
