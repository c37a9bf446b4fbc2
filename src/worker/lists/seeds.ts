import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { nestedFields } from "../../catalog/editing/form-fields.ts";
import { revisionsEtag } from "../../catalog/etag.ts";
import { TOO_MANY_WORKS } from "../../catalog/lists/list-change.ts";
import { sentSeeds } from "../../catalog/lists/list-form.ts";
import {
  SERIES_SEEDS_MAX,
  EMPTY_SEED,
  INVALID_SEED,
  normalizeSeed,
  normalizeSeeds,
  seedKey,
  seedType,
  seedsOfRecord,
} from "../../catalog/lists/seeds.ts";
import { type ListSeed, seedEntry } from "../../catalog/lists/seed-entry.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { type SeedWindow, ALL_SEEDS, readListSeeds } from "../../db/lists/list-seeds.ts";
import { readRecord } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readForm } from "../editing/sent-form.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { writeError } from "../history/edit-desk.ts";
import { changeListSeeds, refuseSpam } from "../history/save.ts";
import { ownerOfList } from "../http/access.ts";
import { checkInput, inputSchemas } from "../http/input.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { backOr } from "../http/redirect-target.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import { isJson, receiveBody } from "../http/request-body.ts";
import { RECORD_KEEP } from "../records/record-answer.ts";
import { askIndex } from "../search/guarded.ts";
import { notify } from "../ui/notice.ts";
import { jsonOrListPage } from "./list.ts";
import {
  LISTS_CACHE_CONTROL,
  NO_LIST,
  OLID_PATH,
  isListType,
  listNotFound,
  listOperations,
} from "./operation.ts";
import { badList, requireListWriter, withListErrors } from "./rights.ts";
import { subjectToken } from "./subjects.ts";
import { LIST_BODY_BYTES, anySeeds, asJson, listId, username } from "./write-request.ts";

/** Subjects of one answer that get a picture; those beyond have none. */
const SUBJECT_PICTURES_MAX = 100;

const seedsAnswer = z
  .object({
    links: z.object({ self: z.string(), list: z.string() }),
    size: z.int(),
    entries: z.array(
      z.looseObject({
        url: z.string(),
        full_url: z.string(),
        type: z.enum(["edition", "work", "author", "subject", "redirect", "unknown"]),
        title: z.string(),
        last_update: z.string().nullable(),
        picture: z.object({ url: z.string() }).optional(),
        notes: z.string().optional(),
        position: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "ListSeeds" });

/** `GET <list>/seeds.json`: all members of a list or series in their order. */
export const listSeeds = listOperations({
  // No series has the key of `people-series`, so there is none.
  ids: {
    people: "peopleListSeeds",
    "people-series": "peopleSeriesSeeds",
    lists: "listSeeds",
    series: "seriesSeeds",
  },
  summary: "Members of a list or series",
  path: OLID_PATH,
  query: {
    limit: integer(z.int().gte(0)).optional().describe("All when it is not given"),
    offset: integer(z.int().gte(0)).default(0),
  },
  keep: RECORD_KEEP,
  responses: { ...NO_LIST, 200: { description: "All members in their order", schema: seedsAnswer } },
  handle({ key }, { query: { limit = ALL_SEEDS.count, offset } }, context) {
    const window = { start: offset, count: Math.min(limit, ALL_SEEDS.count) };
    return jsonOrListPage(key, context, () => seedsReply(key, window, context));
  },
});

/** `{add, remove}`: seeds in any form. */
const seedsBody = z
  .looseObject({ add: anySeeds.default([]), remove: anySeeds.default([]) })
  .meta({ id: "ListSeedsBody" });

/** `POST <list>/seeds.json`: adds seeds to a list or series and removes others. */
export const changeSeeds = listOperations({
  ids: {
    people: "changeListSeeds",
    // No series is there, so this is always a 404.
    "people-series": "changePersonalSeriesSeeds",
    lists: "changeCommunityListSeeds",
    series: "changeSeriesSeeds",
  },
  summary: (folder) =>
    folder === "series" ? "Add works to a series and remove others" : "Add seeds to a list and remove others",
  path: { username, olid: listId },
  json: seedsBody,
  bodyBytes: LIST_BODY_BYTES,
  responses: {
    200: {
      description: "The revision after it; the one before when nothing has changed",
      schema: revisionSchema,
    },
    400: { description: "A seed is none, or is not in the catalog" },
    401: { description: "Not logged in" },
    403: { description: "Somebody else's list" },
    404: { description: "No such list or series" },
  },
  async handle({ key }, { json: sent }, context) {
    const seeds = { add: asJson(sent.add), remove: asJson(sent.remove) };
    return json(await saveSeeds(context, key, seeds), { cacheControl: NO_STORE });
  },
});

/** Q263: the same as `…/seeds.json` without the suffix: for JSON, and for forms with the fields `add` and `remove`. */
export const changeSeedsByForm = listOperations({
  ids: { people: "listSeedsForm", lists: "communityListSeedsForm", series: "seriesSeedsForm" },
  summary: "Add seeds and remove others by a form",
  path: { username, olid: listId },
  body: {
    contentType: "application/x-www-form-urlencoded",
    description: "`add`, `remove`: seeds, with commas between; or JSON as for the address with `.json`",
  },
  responses: {
    200: { description: "The revision after it", schema: revisionSchema },
    303: { description: "People go back to where the form was" },
  },
  async handle({ key }, _input, context) {
    const saved = await saveSeeds(context, key, await sentSeedsOf(context));
    notify(context, "notice.list_changed");
    return backOr(context, json(saved, { cacheControl: NO_STORE }));
  },
});

/** Covers of subjects in a list, by seed: one question to the index, none for lists without subjects. */
async function subjectPictures(
  seeds: readonly ListSeed[],
  context: RequestContext,
): Promise<ReadonlyMap<string, number>> {
  const tokens = new Map<string, string>();
  for (const { key } of seeds) {
    const token = tokens.size < SUBJECT_PICTURES_MAX ? subjectToken(key) : undefined;
    if (token !== undefined) tokens.set(key, token);
  }
  if (tokens.size === 0) return new Map();
  return askIndex(context, "", (engine) => engine.subjectCovers(tokens));
}

async function seedsReply(key: string, window: SeedWindow, context: RequestContext): Promise<Reply> {
  const found = await readListSeeds(catalogReader(context), key, window);
  if (found === undefined) throw listNotFound();
  const { list, seeds } = found;
  const pictures = { coversUrl: coversUrl(context), subjects: await subjectPictures(seeds, context) };
  // Q252: a part of the members is told with the number of all.
  const isWhole = window.start === 0 && window.count === ALL_SEEDS.count;
  const body = {
    links: { self: `${key}/seeds`, list: key },
    size: isWhole ? seeds.length : list.seedCount,
    entries: seeds.map((seed) => seedEntry(seed, pictures)),
  };
  const records = seeds.flatMap(({ key: one, record }) =>
    record === undefined ? [] : [{ key: one, revision: record.revision }],
  );
  return json(body, {
    etag: revisionsEtag([list, ...records], [...pictures.subjects].join()),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
    records: [key, ...records.map((record) => record.key)],
  });
}

/** Seeds to be added and removed, in any form. */
type SentSeeds = Readonly<Record<"add" | "remove", readonly Json[]>>;

/** Adds seeds to a list or series and removes others, as one change at most. Errors are those of lists. */
async function saveSeeds(context: RequestContext, key: string, sent: SentSeeds) {
  const row = await readRecord(context.stores.catalog.withSession("first-primary"), key);
  if (row === undefined || !isListType(row.type)) throw listNotFound();
  await requireListWriter(context, ownerOfList(key));
  const { add, remove } = checked(row, sent, context.settings.RECORD_PREFIX);
  return withListErrors(key, async () => {
    const told: CatalogRecord = { add: [...sent.add], remove: [...sent.remove] };
    await refuseSpam(context, { documents: [told], comment: null, suspectsAll: true });
    const request = { list: key, add: JSON.stringify(add), remove, sent: JSON.stringify(told) };
    return { key, revision: await changeListSeeds(context, request) };
  });
}

/** The seeds as they are stored, and keys of those that go; 400 for what is none. */
function checked(row: RecordRow, sent: SentSeeds, prefix: string): { add: Json[]; remove: string[] } {
  const normalized = normalizeSeeds(sent.add, prefix);
  if ("failure" in normalized) throw badList(normalized.failure);
  const { seeds: add } = normalized;
  const isSeries = row.type === "/type/series";
  if (isSeries && !add.every((seed) => seedType(seedKey(seed) ?? "") === "work")) throw badList(INVALID_SEED);
  const stored = new Set(seedsOfRecord(parseDocument(row.document)).flatMap((seed) => seedKey(seed) ?? []));
  const remove = [...new Set(sent.remove.map((input) => removedKey(input, stored, prefix)))];
  // Q264: each of them is a record, and all of them are in memory at once.
  if (isSeries && add.length + remove.length > SERIES_SEEDS_MAX) throw badList(TOO_MANY_WORKS);
  return { add, remove };
}

/** What old lists hold can be removed, even where it could not be added any more. */
function removedKey(input: Json, stored: ReadonlySet<string>, prefix: string): string {
  const key = seedKey(input);
  if (key !== undefined && stored.has(key)) return key;
  const normalized = normalizeSeed(input, prefix);
  if ("failure" in normalized) throw badList(normalized.failure);
  return seedKey(normalized.seed) ?? EMPTY_SEED;
}

const BODY = inputSchemas({ ...changeSeeds.lists, path: {} });

async function sentSeedsOf(context: RequestContext): Promise<SentSeeds> {
  if (isJson(context.request)) {
    const body = await receiveBody(changeSeeds.lists, context.request);
    // Checked by this very schema.
    const sent = seedsBody.parse(checkInput(BODY, { path: {}, query: new URLSearchParams(), body }).json);
    return { add: asJson(sent.add), remove: asJson(sent.remove) };
  }
  const { form, failures } = nestedFields(await readForm(context));
  if (failures.length > 0) throw writeError(failures);
  return { add: sentSeeds(form["add"]), remove: sentSeeds(form["remove"]) };
}
