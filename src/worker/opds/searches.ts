import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { between, equals } from "../../search/query/query.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { digitsOf, integer } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { askIndex, searchCacheControl } from "../search/guarded.ts";
import {
  FEED,
  BOOK_PARAMETERS,
  OPDS_WORK_FIELDS,
  choiceFacet,
  editionKeysOf,
  findBooks,
  pagingOf,
  searchTextOf,
  valueFacets,
} from "./books.ts";
import { INVALID, OPDS_ERRORS, errorResponse, makeFeedReply } from "./feeds.ts";
import { readPublications } from "./publications.ts";

const LIMIT = { default: 25, max: 100 };

const MODES = [
  ["Everything", "everything"],
  ["Available to Borrow", "ebooks"],
  ["Open Access", "open_access"],
  ["Available for Purchase", "buyable"],
] as const;
const MEDIA = [
  ["All", undefined],
  ["Ebooks", "ebook"],
  ["Audiobooks", "audiobook"],
] as const;
const ACCESSES = [
  ["General", "general"],
  ["Print Disabled", "print_disabled"],
] as const;

const limit = integer(z.int().gte(1).lte(LIMIT.max)).default(LIMIT.default);
/** Parameters of the catalog of Open Library. */
const PARAMETERS = {
  ...BOOK_PARAMETERS,
  mode: z
    .enum(["everything", "ebooks", "open_access", "buyable", "print_disabled"])
    .default("everything")
    .describe(
      "`ebooks`: books to read or borrow; `open_access`: books that are free to read; `buyable`: offers to buy",
    ),
  media_type: z.enum(["ebook", "audiobook"]).optional(),
  access: z.enum(["general", "print_disabled"]).default("general"),
  title: z.string().max(200).optional().describe("Title of the feed"),
  limit,
};
type SearchParams = z.output<z.ZodObject<typeof PARAMETERS>>;

export const opdsSearchBooks = operation({
  id: "opdsSearchBooks",
  summary: "Search books to read or borrow (OPDS)",
  tag: "search",
  query: PARAMETERS,
  responses: { ...OPDS_ERRORS, 200: FEED, 422: INVALID },
  handle: ({ query }, context) => listBooks(query, query.title ?? "Search Results", context),
});

export const opdsAuthor = operation({
  id: "opdsAuthor",
  summary: "List an author's books to read or borrow (OPDS)",
  tag: "search",
  path: { author_id: digitsOf("author") },
  query: PARAMETERS,
  responses: { ...OPDS_ERRORS, 200: FEED, 404: errorResponse("Author not found"), 422: INVALID },
  async handle({ path: { author_id: digits }, query }, context) {
    const id = `${context.settings.RECORD_PREFIX}${digits}A`;
    const row = await readRecord(catalogReader(context), `/authors/${id}`);
    if (row?.type !== "/type/author") throw notFound();
    const name = textOf(latestRecordOf(row)["name"]) ?? id;
    return listBooks({ ...query, author_key: [id] }, query.title ?? name, context);
  },
});

async function listBooks(query: SearchParams, title: string, context: RequestContext): Promise<Reply> {
  const params = { ...query, title: undefined, q: searchTextOf(query) };
  const { mode, media_type: medium, access, limit: size, page } = query;
  const filters = medium === "audiobook" ? [equals("ebook_provider", "librivox")] : [];
  if (access === "print_disabled" || mode === "print_disabled") {
    filters.push(equals("ebook_access", "printdisabled"));
  } else if (mode !== "buyable") {
    filters.push(between("ebook_access", mode === "open_access" ? "public" : "borrowable", null));
  }
  const results = await findBooks(params, { filters, limit: size }, context);
  const all = await readPublications(editionKeysOf(results.works), context);
  // The index does not know offers to buy.
  const publications =
    mode === "buyable"
      ? all.filter(({ acquisitions }) => acquisitions.some(({ kind }) => kind === "buy"))
      : all;
  return makeFeedReply(
    {
      title,
      kind: "acquisition",
      publications,
      facets: [
        choiceFacet({ title: "Availability", parameter: "mode", active: mode }, MODES, context),
        choiceFacet({ title: "Media Type", parameter: "media_type", active: medium }, MEDIA, context),
        choiceFacet({ title: "Access", parameter: "access", active: access }, ACCESSES, context),
        ...valueFacets(results, context),
      ],
      ...pagingOf({ total: results.numFound, size, page }, context),
      cacheControl: searchCacheControl(context, { sort: [], availability: true }),
    },
    context,
  );
}

export const opdsWork = operation({
  id: "opdsWork",
  summary: "List the editions of a work to read or borrow (OPDS)",
  tag: "search",
  path: { work_id: digitsOf("work") },
  query: { page: BOOK_PARAMETERS.page, limit },
  responses: { ...OPDS_ERRORS, 200: FEED, 404: errorResponse("Work not found"), 422: INVALID },
  async handle({ path: { work_id: digits }, query: { page, limit: size } }, context) {
    const key = makeNumberedKey("work", digits, context.settings.RECORD_PREFIX);
    const request = { withEditions: true, fields: OPDS_WORK_FIELDS };
    const [row, { editions }] = await Promise.all([
      readRecord(catalogReader(context), key),
      askIndex(context, "", (engine) => engine.worksByKey([key], request)),
    ]);
    if (row?.type !== "/type/work") throw notFound();
    const open = (editions[0] ?? []).filter(({ ebook_access }) =>
      ["public", "borrowable"].includes(String(ebook_access)),
    );
    const keys = open.flatMap((edition) => stringsOf(edition["key"]));
    const publications = await readPublications(keys.slice((page - 1) * size, page * size), context);
    return makeFeedReply(
      {
        title: textOf(latestRecordOf(row)["title"]) ?? "Untitled",
        kind: "acquisition",
        publications,
        ...pagingOf({ total: keys.length, size, page }, context),
        cacheControl: searchCacheControl(context, { sort: [], availability: true }),
      },
      context,
    );
  },
});
