import { failure } from "../http/failure.ts";
import * as z from "zod";
import { latestRecordOf, latestTextOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { renderListFeed } from "../../catalog/lists/list-view.ts";
import { readMemberChanges, readListEditions } from "../../db/lists/list-contents.ts";
import { baseUrl, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { jsonText, json } from "../http/reply.ts";
import { hasParts, partParameters } from "../records/part-parameters.ts";
import { RECORD_CACHE, editionSchema, withSelectedMembers } from "../records/record-answer.ts";
import { listMembers } from "./list.ts";
import { LISTS_CACHE_CONTROL, LIST_PATH, listNotFound, listOperations } from "./list-operations.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { seedKindOf, subjectPathOf } from "../../catalog/lists/seed-entry.ts";
import { readSeedWorks } from "../../db/lists/read-lists.ts";
import { type SubjectType, subjectFolderOf } from "../../search/documents/subject-key.ts";
import { SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { fieldCodeOf, toFilterToken } from "../../search/indexing/filter-token.ts";
import { editionIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { toSubjectTarget } from "../../search/present/subjects.ts";
import { askIndex } from "../search/guarded.ts";

const LIST_EDITIONS = { default: 50, max: 1000 };

const editionsSchema = z
  .object({
    size: z.int().describe("Number of editions that are members themselves"),
    start: z.int(),
    end: z.int().describe("Sum of `offset` and `limit`, even beyond the end of the list"),
    entries: z.array(withSelectedMembers(editionSchema)),
    links: z.object({
      self: z.string(),
      next: z.string().nullable(),
      prev: z.string().nullable(),
      list: z.string(),
    }),
  })
  .meta({ id: "ListEditionsModel" });

/** `GET <list>/editions.json`: editions that are members of a list; a series has none. */
export const listEditions = listMembers({
  ids: { people: "peopleListEditions", lists: "listEditions", series: "seriesEditions" },
  summary: "List the editions in a list",
  query: {
    ...partParameters,
    limit: integer(z.int().gte(0)).default(LIST_EDITIONS.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  cache: RECORD_CACHE,
  shown: { description: "Page of editions", schema: editionsSchema },
  async asJson(key, { limit: requestedLimit, offset, ...selection }, context) {
    const { url } = context;
    const { RECORD_PREFIX: prefix } = context.settings;
    // Q249: greater limits are clamped.
    const limit = Math.min(requestedLimit, LIST_EDITIONS.max);
    const page = await readListEditions(catalogReader(context), key, { limit, offset, prefix });
    if (page === undefined) throw failure("not_found.list_editions");
    const { list, size, editions } = page;
    // Q496: a page of large records ends early. Numbers beyond the maximum would not be exact.
    const isShort = editions.length > 0 && editions.length < Math.min(limit, size - offset);
    const end = Math.min(offset + (isShort ? editions.length : limit), Number.MAX_SAFE_INTEGER);
    const pageAddress = (start: number): string => {
      const search = new URLSearchParams(url.search);
      search.set("limit", String(limit));
      search.set("offset", String(start));
      return `${url.pathname}?${search}`;
    };
    // Q242
    const links = {
      self: url.pathname + url.search,
      next: limit > 0 && end < size ? pageAddress(end) : null,
      prev: limit > 0 && offset > 0 ? pageAddress(Math.max(0, offset - limit)) : null,
      list: key,
    };
    const more = {
      etag: computeRevisionsEtag([list, ...editions], String(size)),
      cacheControl: LISTS_CACHE_CONTROL,
      records: [key, ...editions.map((edition) => edition.key)],
    };
    const head = { size, start: offset, end };
    if (hasParts(selection)) {
      const { readParts } = await import("../records/parts.ts");
      const records = editions.map(latestRecordOf);
      const parts = await readParts(selection, { records }, context);
      const entries = records.map((record) => parts.show(record));
      return json({ ...head, entries, links }, parts.reply(more));
    }
    const entries = editions.map(latestTextOf).join(",");
    const start = JSON.stringify(head).slice(0, -1);
    return jsonText(`${start},"entries":[${entries}],"links":${JSON.stringify(links)}}`, more);
  },
});

export const listFeed = listOperations({
  ids: { people: "peopleListFeed", lists: "listFeed", series: "seriesFeed" },
  summary: "Get the feed of changes to a list's editions or a series' works",
  path: LIST_PATH,
  responses: {
    200: { description: "Atom feed, newest change first", contentType: "application/atom+xml" },
  },
  async handle({ key }, _input, context) {
    const feed = await readMemberChanges(catalogReader(context), key);
    if (feed === undefined) throw listNotFound();
    const { list, changes } = feed;
    return jsonText(renderListFeed(list, changes, baseUrl(context)), {
      contentType: 'application/atom+xml; charset="utf-8"',
      etag: computeRevisionsEtag([list], changes.map((change) => `${change.key}@${change.changeId}`).join()),
      cacheControl: LISTS_CACHE_CONTROL,
    });
  },
});

const LIST_SUBJECT_VALUES = 20;
/** Authors and subjects among the seeds whose works are counted. */
const SUBJECT_TOKENS_MAX = 1000;

const countsSchema = z.array(z.object({ name: z.string(), count: z.int(), url: z.string() }));
const subjectsSchema = z
  .object({
    subjects: countsSchema,
    places: countsSchema,
    people: countsSchema,
    times: countsSchema,
    links: z.object({ self: z.string(), list: z.string() }),
  })
  .meta({ id: "ListSubjectsModel" });

export const listSubjects = listMembers({
  ids: { people: "peopleListSubjects", lists: "listSubjects", series: "seriesSubjects" },
  summary: "List the subjects of a list or series",
  query: {
    limit: integer(z.int().gte(0))
      .default(LIST_SUBJECT_VALUES)
      .describe(`Maximum number of values of each kind, at most ${LIST_SUBJECT_VALUES}`),
  },
  shown: { description: "Subjects, places, people and times, most frequent first", schema: subjectsSchema },
  async asJson(key, { limit }, context) {
    const { RECORD_PREFIX: prefix } = context.settings;
    const works = await readSeedWorks(catalogReader(context), key);
    if (works === undefined) throw listNotFound();
    const ids = works.books.flatMap((book) => {
      const edition = editionIdOfKey(book, prefix);
      // An edition without a work has a negative id in the index.
      return (edition === undefined ? workIdOfKey(book, prefix) : -edition) ?? [];
    });
    const tokens = works.others.slice(0, SUBJECT_TOKENS_MAX).flatMap((seed) => {
      const isAuthor = seed.startsWith("/authors/");
      return (isAuthor ? toFilterToken("ak", lastSegmentOf(seed)) : subjectTokenOf(seed)) ?? [];
    });
    // Q250: counted in the search index, which follows the records.
    const counts = await askIndex(context, "", (engine) =>
      engine.subjectCounts({ ids, tokens }, LIST_SUBJECT_VALUES),
    );
    const entriesOf = (type: SubjectType) =>
      counts
        .filter(({ field }) => SUBJECT_COUNT_FIELDS[field] === type)
        .slice(0, limit)
        .map(({ value: name, count }) => {
          return { name, count, url: subjectFolderOf(type) + name.toLowerCase().replaceAll(" ", "_") };
        });
    const body = {
      subjects: entriesOf("subject"),
      places: entriesOf("place"),
      people: entriesOf("person"),
      times: entriesOf("time"),
      links: { self: `${key}/subjects`, list: key },
    };
    return json(body, {
      etag: computeRevisionsEtag([works.list], JSON.stringify(body)),
      cacheControl: LISTS_CACHE_CONTROL,
    });
  },
});

/** Returns the token of works about the subject that a seed names; undefined for other seeds. */
export function subjectTokenOf(seed: string): string | undefined {
  if (seedKindOf({ key: seed, record: undefined }) !== "subject") return undefined;
  const { field, value } = toSubjectTarget(subjectPathOf(seed).slice("/subjects/".length));
  const code = fieldCodeOf(field);
  return code === undefined || value === "" ? undefined : toFilterToken(code, value);
}
