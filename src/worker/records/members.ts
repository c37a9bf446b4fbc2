import * as z from "zod";
import { latestRecordOf, latestTextOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import type { RecordPart } from "../../catalog/lookup/expand.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import type { Json } from "../../catalog/record.ts";
import { marcCodeOf } from "../../catalog/language.ts";
import { publicationYearOf } from "../../catalog/publication-date.ts";
import {
  type EditionTraits,
  SELECTED_EDITIONS_MAX,
  readEditionTraits,
  readMembers,
} from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readByIds } from "../../db/records/records.ts";
import type { Window } from "../../db/statement.ts";
import { languagesOf } from "../../search/documents/values.ts";
import { compareValues } from "../../search/text/collation.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, REVALIDATE, json, jsonText, redirect } from "../http/reply.ts";
import { twoViews } from "../http/views.ts";
import { type PartSelection, hasParts, partParameters } from "./part-parameters.ts";
import { RECORD_CACHE, editionSchema, withSelectedMembers, workSchema } from "./record-answer.ts";
import { failure } from "../http/failure.ts";

/** Entries of a page: default, also for a limit of 0, and maximum. */
const MEMBERS_LIMIT = { default: 50, max: 1000 };

function pageOf(entry: z.ZodType) {
  return z.object({
    links: z
      .record(z.string(), z.string())
      .describe("`self`, the owner's key, and `prev` and `next` if present"),
    size: z.int().describe("Total number of entries"),
    entries: z.array(withSelectedMembers(entry)),
  });
}

const paging = {
  ...partParameters,
  limit: integer(z.int().min(0).max(MEMBERS_LIMIT.max)).default(MEMBERS_LIMIT.default),
  offset: integer(z.int().min(0)).default(0),
};
const PERIOD = /^(\d{4})(?:-(\d{4}))?$/;
const selection = {
  sort: z
    .enum(["old", "new"])
    .optional()
    .describe("Order by year of publication, editions without a year last; default: by record number"),
  language: z
    .array(z.string())
    .default([])
    .describe("Codes or names of languages; matches editions in any of them"),
  published_in: z.string().regex(PERIOD).optional().describe("Year, or range of years such as 1850-1899"),
};
type EditionSelection = z.output<z.ZodObject<typeof selection>>;

export const readAuthorWorks = twoViews({
  id: "readAuthorWorks",
  summary: "List the works of an author",
  tag: "records",
  path: { author_id: integer(z.int().min(0)) },
  query: {
    ...paging,
    sort: z
      .enum(["new", "old", "editions", "title", "rating"])
      .optional()
      .describe("Order, from the search index; default: by record number"),
  },
  cache: RECORD_CACHE,
  responses: {
    ...responsesOf("works", "author", workSchema),
    422: { description: "Invalid parameters, or too many works to sort" },
  },
  asPage: ({ path }, context) => redirectToMembers("author", path.author_id, context),
  async asJson({ path, query }, context) {
    const owner = makeNumberedKey("author", path.author_id, context.settings.RECORD_PREFIX);
    const members = { kind: "works", owner } as const;
    const { sort } = query;
    const { readSortedWorks } = sort === undefined ? {} : await import("./sorted-works.ts");
    const read = (part: PageQuery) =>
      readSortedWorks?.(owner, { sort, ...part }, context) ??
      readMembers(catalogReader(context), members, part);
    return membersReply({ noun: "author", owner, read }, query, context);
  },
});

export const readWorkEditions = twoViews({
  id: "readWorkEditions",
  summary: "List the editions of a work",
  tag: "records",
  path: { work_id: integer(z.int().min(0)) },
  query: { ...paging, ...selection },
  cache: RECORD_CACHE,
  responses: {
    ...responsesOf("editions", "work", editionSchema),
    422: { description: "Invalid parameters, or too many editions to filter or sort" },
  },
  asPage: ({ path }, context) => redirectToMembers("work", path.work_id, context),
  asJson({ path, query }, context) {
    const owner = makeNumberedKey("work", path.work_id, context.settings.RECORD_PREFIX);
    const { sort, language, published_in: period } = query;
    const isSelected = sort !== undefined || language.length > 0 || period !== undefined;
    const members = { kind: "editions", owner } as const;
    const read = (part: PageQuery) =>
      isSelected
        ? readSelected(owner, { ...query, ...part }, context)
        : readMembers(catalogReader(context), members, part);
    return membersReply({ noun: "work", owner, read }, query, context);
  },
});

function responsesOf(kind: string, noun: string, entry: z.ZodType) {
  return {
    200: { description: `Page of ${kind}`, schema: pageOf(entry) },
    303: { description: `Redirect to the page of the ${noun} (browsers, path without .json)` },
  };
}

/** Q690: reads a page of the editions of a work that a selection has, and their number. Two round trips. */
async function readSelected(work: string, query: EditionSelection & Window, context: RequestContext) {
  const database = catalogReader(context);
  const { owner, traits } = await readEditionTraits(database, work);
  if (traits === undefined) {
    const options = { status: 422, code: "too_many_editions" };
    throw failure("bad_data.too_many_editions", { most: SELECTED_EDITIONS_MAX }, options);
  }
  const ids = selectEditions(traits, query);
  const { found } = await readByIds(database, ids.slice(query.offset, query.offset + query.limit));
  return { owner, size: ids.length, members: found };
}

/** Returns the ids of the editions that a selection has, in its order, which is total. */
function selectEditions(
  traits: readonly EditionTraits[],
  { sort, language, published_in }: EditionSelection,
): number[] {
  const codes = new Set(language.map((text) => marcCodeOf(text) ?? text));
  const [, from, to = from] = PERIOD.exec(published_in ?? "") ?? [];
  const editions = traits
    .map(({ id, lastModified, date, languages }) => ({
      id,
      year: publicationYearOf({ publish_date: parseMember(date), last_modified: lastModified }),
      languages: languagesOf({ languages: parseMember(languages) }),
    }))
    .filter(({ languages }) => codes.size === 0 || languages.some((code) => codes.has(code)))
    .filter(({ year = Number.NaN }) => from === undefined || (year >= Number(from) && year <= Number(to)));
  const last = sort === "new" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const direction = sort === "new" ? -1 : 1;
  // Editions come by number, and equal ones keep their order.
  if (sort !== undefined) {
    editions.sort((a, b) => direction * compareValues(a.year ?? last, b.year ?? last));
  }
  return editions.map(({ id }) => id);
}

/** Q435: people find the members on the page of the record. */
function redirectToMembers(noun: "author" | "work", id: number, { settings }: RequestContext): Reply {
  const owner = makeNumberedKey(noun, id, settings.RECORD_PREFIX);
  return redirect(303, `${owner}#${noun === "author" ? "works" : "editions"}`, {
    headers: { Vary: "Accept" },
  });
}

function parseMember(text: string | null): Json | undefined {
  // The member of a stored document.
  return text === null ? undefined : (JSON.parse(text) as Json);
}

interface MembersPage {
  readonly owner: RecordRow | undefined;
  readonly size: number;
  readonly members: readonly RecordRow[];
  /** Records that the members show as parts, if they were read. */
  readonly reached?: readonly RecordRow[] | undefined;
}

type PageQuery = Window & { readonly parts?: ReadonlySet<RecordPart> | undefined };

interface MembersOf {
  readonly noun: "author" | "work";
  readonly owner: string;
  read(part: PageQuery): Promise<MembersPage>;
}

async function membersReply(
  { noun, owner, read }: MembersOf,
  query: Window & PartSelection,
  context: RequestContext,
): Promise<Reply> {
  // Q3: a limit of 0 would never get any further, so it means the default.
  const limit = query.limit === 0 ? MEMBERS_LIMIT.default : query.limit;
  const { offset } = query;
  const parts = query.expand?.length ? new Set(query.expand) : undefined;
  const { owner: ownerRow, members, size, reached } = await read({ limit, offset, parts });
  if (ownerRow?.type !== `/type/${noun}`) throw notFound();
  const { url } = context;
  const links: Record<string, string> = { self: url.pathname + url.search, [noun]: owner };
  if (offset > 0) links["prev"] = withOffset(url, Math.max(0, offset - limit));
  // Q496: a page of large records ends early, and the next one begins there.
  const end = offset + members.length;
  if (end > offset && end < size) links["next"] = withOffset(url, end);
  const head = JSON.stringify({ links, size });
  const times = [ownerRow, ...members].map(({ lastModified }) => lastModified);
  const more = {
    etag: computeRevisionsEtag([ownerRow, ...members], String(size)),
    lastModified: times.reduce((latest, time) => (time > latest ? time : latest)),
    cacheControl: REVALIDATE,
    headers: { Vary: "Accept" },
    records: [owner, ...members.map(({ key }) => key)],
  };
  if (!hasParts(query)) {
    return jsonText(`${head.slice(0, -1)},"entries":[${members.map(latestTextOf).join(",")}]}`, more);
  }
  const { readParts } = await import("./parts.ts");
  const records = members.map(latestRecordOf);
  const shown = await readParts(query, { records, reached }, context);
  return json({ links, size, entries: records.map((record) => shown.show(record)) }, shown.reply(more));
}

function withOffset(url: URL, offset: number): string {
  const search = new URLSearchParams(url.search);
  search.set("offset", String(offset));
  return `${url.pathname}?${search}`;
}
