import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, textOf, typeKey } from "../../catalog/record.ts";
import { recordSlug } from "../../catalog/slug.ts";
import { readRecords } from "../../db/records/records.ts";
import { fieldNames, project } from "../../search/present/fields.ts";
import type { Document, Hits, Sort } from "../../search/engine.ts";
import { type Query, anyOf, between, equals } from "../../search/query/query.ts";
import { parseListSort } from "../../search/sorts.ts";
import { validationFailed } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { NOTHING_FOUND, searchCacheControl } from "../search/answers.ts";
import { VALUE_ERROR, askIndex } from "../search/guarded.ts";
import { pagingParameters, plainQuery, sortNames, windowOf } from "../search/parameters.ts";

/** Lists in an answer when no limit is given. */
const LISTS_LIMIT = 20;
const DEFAULT_FIELDS = ["key", "name"];
const parameters = {
  q: z.string().default("").describe('Words of a name, or field:value, such as seed:("/works/OL1W")'),
  fields: z.string().default("").describe("With api=next: names of members, separated by commas"),
  sort: z.string().default("").meta(sortNames(parseListSort)),
  api: z.enum(["next", ""]).default("").describe("`next`: documents of the index, with their number"),
  ...pagingParameters,
  limit: integer(z.int().gte(0)).default(LISTS_LIMIT),
};

/** Answer of a search for lists. */
export const searchListsSchema = z.looseObject({ start: z.int(), docs: z.array(z.looseObject({})) });

/** `GET /search/lists.json`: lists and series by name. */
export const searchLists = operation({
  id: "searchLists",
  summary: "Lists and series by their names and subjects",
  tag: "search",
  query: parameters,
  responses: { 200: { description: "A page of lists", schema: searchListsSchema } },
  handle: ({ query }, context) =>
    query.api === "next" ? indexDocuments(query, context) : listRows(query, context),
});

type Parameters = z.output<z.ZodObject<typeof parameters>>;

/** Rows made of the records; without their number. */
async function listRows({ q, sort, ...paging }: Parameters, context: RequestContext): Promise<Reply> {
  if (sort !== "") throw sortRefused("sort not supported in the old API", sort);
  // Q74: a limit of 0 means the default.
  const window = windowOf({ ...paging, limit: paging.limit === 0 ? LISTS_LIMIT : paging.limit });
  const { documents } = await search(q, { ...window, sort: [] }, context);
  const keys = documents.map(({ key }) => String(key));
  const records = new Map(
    (await readRecords(catalogReader(context), keys)).map((row) => [row.key, latestRecord(row)]),
  );
  const docs = documents.flatMap((document) => {
    const record = records.get(String(document["key"]));
    return record === undefined ? [] : [listRow(document, record)];
  });
  return json({ start: window.start, docs }, { cacheControl: searchCacheControl(context, { sort: [] }) });
}

function listRow({ key, seed_count: members }: Document, record: CatalogRecord): Document {
  const { seeds } = record;
  // Series name no members: the index has counted the works that name them.
  const counted = Array.isArray(seeds) ? seeds.length : 0;
  return {
    url: String(key),
    full_url: `${String(key)}/${recordSlug(record) ?? ""}`,
    name: textOf(record["name"]) ?? "",
    seed_count: typeKey(record) === "/type/series" && typeof members === "number" ? members : counted,
    last_update: textOf(record["last_modified"]) ?? null,
  };
}

/** Documents of the index. */
async function indexDocuments(
  { q, sort: sortText, fields: fieldsText, ...paging }: Parameters,
  context: RequestContext,
): Promise<Reply> {
  const { sorts: sort, message } = parseListSort(sortText, context.now);
  if (message !== undefined) throw sortRefused(message, sortText);
  const window = windowOf(paging);
  const { numFound, documents } = await search(q, { ...window, sort }, context);
  const names = fieldNames([fieldsText]);
  const fields = names.length === 0 ? DEFAULT_FIELDS : names;
  const projected = documents.map((document) => project(document, fields));
  const docs = fields.includes("description") ? await described(documents, projected, context) : projected;
  const body = { numFound, num_found: numFound, start: window.start, q, docs };
  return json(body, { cacheControl: searchCacheControl(context, { sort }) });
}

async function described(
  documents: readonly Document[],
  projected: readonly Document[],
  context: RequestContext,
): Promise<Document[]> {
  const rows = await readRecords(
    catalogReader(context),
    documents.map(({ key }) => String(key)),
  );
  const texts = new Map(rows.map((row) => [row.key, textOf(latestRecord(row)["description"])]));
  return projected.map((document, place) => {
    const description: Json | undefined = texts.get(String(documents[place]?.["key"]));
    return description === undefined || description === "" ? document : { ...document, description };
  });
}

function search(
  text: string,
  { start, rows, sort }: ReturnType<typeof windowOf> & { readonly sort: readonly Sort[] },
  context: RequestContext,
): Promise<Hits> {
  const query = plainQuery(text, "list");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  const found = { query, filters: filtersFor(text), sort, start, rows };
  return askIndex(context, text, (engine) => engine.lists(found));
}

const WORTH_SHOWING = anyOf([between("seed_count", "2", null), equals("list_type", "series")]);

/** Lists of one thing are hidden, unless they are series or the query is about their size. */
export function filtersFor(text: string): readonly Query[] {
  return text.includes("seed_count") ? [] : [WORTH_SHOWING];
}

function sortRefused(message: string, input: string) {
  return validationFailed([
    { ...VALUE_ERROR, loc: ["query", "sort"], msg: `Value error, ${message}`, input },
  ]);
}
