import { failure } from "../http/failure.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { nestFields } from "../../catalog/editing/form-fields.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { TOO_MANY_WORKS, followSeeds } from "../../catalog/lists/list-change.ts";
import { toSeedInputs } from "../../catalog/lists/list-form.ts";
import {
  SERIES_SEEDS_MAX,
  INVALID_SEED,
  normalizeSeed,
  normalizeSeeds,
  seedKeyOf,
  seedTypeOf,
  seedsOfRecord,
} from "../../catalog/lists/seeds.ts";
import { type ListSeed, toSeedEntry } from "../../catalog/lists/seed-entry.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { ALL_SEEDS, readListSeeds } from "../../db/lists/list-contents.ts";
import { readRecord } from "../../db/records/records.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readForm } from "../editing/submitted-form.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { writeError } from "../editing/edit-desk.ts";
import { changeListSeeds, refuseSpam } from "../editing/save-change.ts";
import { ownerOfList } from "../http/access.ts";
import { checkInput, inputSchemas } from "../http/input.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { backOr } from "../http/redirect-target.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { isJson, receiveBody } from "../http/request-body.ts";
import { hasParts, partParameters } from "../records/part-parameters.ts";
import { RECORD_CACHE, withSelectedMembers } from "../records/record-answer.ts";
import { askIndex } from "../search/guarded.ts";
import { notify } from "../ui/notice.ts";
import { listMembers } from "./list.ts";
import { LISTS_CACHE_CONTROL, isListType, listNotFound, listOperations } from "./list-operations.ts";
import {
  requireListWriter,
  withListErrors,
  LIST_BODY_BYTES,
  anySeedsSchema,
  asJson,
  listId,
  username,
  readSeedTargets,
} from "./write-request.ts";
import { subjectTokenOf } from "./list-contents.ts";

/** Subjects per response that get a picture. */
const SUBJECT_PICTURES_MAX = 100;

const seedsAnswer = z
  .object({
    links: z.object({ self: z.string(), list: z.string() }),
    size: z.int(),
    entries: z.array(
      withSelectedMembers(
        z.looseObject({
          url: z.string(),
          full_url: z.string(),
          type: z.enum(["edition", "work", "author", "subject", "redirect", "unknown"]),
          title: z.string(),
          last_update: z.string().nullable(),
          picture: z.object({ url: z.string() }).optional(),
          notes: z.string().optional(),
          position: z.string().optional(),
          record: z
            .looseObject({})
            .optional()
            .describe("With `expand`: record of the member, with its parts"),
        }),
      ),
    ),
  })
  .meta({ id: "ListSeeds" });

export const listSeeds = listMembers({
  // No series has a key in `people-series`, so this is always a 404.
  ids: {
    people: "peopleListSeeds",
    "people-series": "peopleSeriesSeeds",
    lists: "listSeeds",
    series: "seriesSeeds",
  },
  summary: "List the members of a list or series",
  query: {
    limit: integer(z.int().gte(0)).optional().describe("Maximum number of members; all by default"),
    offset: integer(z.int().gte(0)).default(0),
    ...partParameters,
  },
  cache: RECORD_CACHE,
  shown: { description: "Members in order", schema: seedsAnswer },
  async asJson(key, { limit = ALL_SEEDS.count, offset: start, ...selection }, context) {
    const count = Math.min(limit, ALL_SEEDS.count);
    const members = await readListSeeds(catalogReader(context), key, { start, count });
    if (members === undefined) throw listNotFound();
    const { list, seeds } = members;
    const { readEntryRecords } = hasParts(selection) ? await import("../records/parts.ts") : {};
    const records = seeds.flatMap(({ key: member, record }) =>
      record === undefined ? [] : [{ key: member, revision: record.revision }],
    );
    const keys = records.map((record) => record.key);
    const [named, subjects] = await Promise.all([
      readEntryRecords?.(selection, keys, context),
      findSubjectPictures(seeds, context),
    ]);
    const pictures = { coversUrl: coversUrl(context), subjects };
    // Q252: a part of the members comes with the number of all.
    const isWhole = start === 0 && count === ALL_SEEDS.count;
    const body = {
      links: { self: `${key}/seeds`, list: key },
      size: isWhole ? seeds.length : list.seedCount,
      entries: seeds.map((seed) => {
        const entry = toSeedEntry(seed, pictures);
        return named?.show(seed.key, entry) ?? entry;
      }),
    };
    const more = {
      etag: computeRevisionsEtag([list, ...records], [...subjects].join()),
      cacheControl: LISTS_CACHE_CONTROL,
      records: [key, ...keys],
    };
    return json(body, named?.parts.reply(more) ?? more);
  },
});

const seedsBody = z
  .looseObject({ add: anySeedsSchema.default([]), remove: anySeedsSchema.default([]) })
  .meta({ id: "ListSeedsBody" });

export const changeSeeds = listOperations({
  ids: {
    people: "changeListSeeds",
    // Always a 404.
    "people-series": "changePersonalSeriesSeeds",
    lists: "changeCommunityListSeeds",
    series: "changeSeriesSeeds",
  },
  summary: (folder) =>
    folder === "series" ? "Add works to a series and remove others" : "Add seeds to a list and remove others",
  path: { username, olid: listId },
  json: seedsBody,
  bodyBytes: LIST_BODY_BYTES,
  needsActor: true,
  responses: {
    200: {
      description: "Key and new revision; the current one if nothing changed",
      schema: revisionSchema,
    },
    400: { description: "Invalid seed, or a seed that is not in the catalog" },
    403: { description: "List of another user" },
  },
  async handle({ key }, { json: body }, context) {
    const seeds = { add: asJson(body.add), remove: asJson(body.remove) };
    return json(await saveSeeds(context, key, seeds), { cacheControl: NO_STORE });
  },
});

const BODY = inputSchemas({ ...changeSeeds.lists, path: {} });

/** `POST <list>/seeds`: takes JSON as `…/seeds.json` does, and forms with the fields `add` and `remove` (Q263). */
export const changeSeedsByForm = listOperations({
  ids: { people: "listSeedsForm", lists: "communityListSeedsForm", series: "seriesSeedsForm" },
  summary: "Add and remove seeds by a form",
  path: { username, olid: listId },
  body: {
    contentType: "application/x-www-form-urlencoded",
    description: "`add`, `remove`: seeds, comma-separated; or JSON as for the path with `.json`",
  },
  needsActor: true,
  responses: {
    200: { description: "Key and new revision", schema: revisionSchema },
    303: { description: "Redirect to the page of the form, for browsers" },
  },
  async handle({ key }, _input, context) {
    let change: SeedChange;
    if (isJson(context.request)) {
      const body = await receiveBody(changeSeeds.lists, context.request);
      // `checkInput` has validated the same schema, and reports failures as 422.
      const seeds = seedsBody.parse(checkInput(BODY, { path: {}, query: new URLSearchParams(), body }).json);
      change = { add: asJson(seeds.add), remove: asJson(seeds.remove) };
    } else {
      const { form, failures } = nestFields(await readForm(context));
      if (failures.length > 0) throw writeError(failures);
      change = { add: toSeedInputs(form["add"]), remove: toSeedInputs(form["remove"]) };
    }
    const saved = await saveSeeds(context, key, change);
    notify(context, "notice.list_changed");
    return backOr(context, json(saved, { cacheControl: NO_STORE }));
  },
});

/** Finds covers for the subjects in a list, by seed. One request to the index, none for lists without subjects. */
async function findSubjectPictures(
  seeds: readonly ListSeed[],
  context: RequestContext,
): Promise<ReadonlyMap<string, number>> {
  const tokens = new Map<string, string>();
  for (const { key } of seeds) {
    const token = tokens.size < SUBJECT_PICTURES_MAX ? subjectTokenOf(key) : undefined;
    if (token !== undefined) tokens.set(key, token);
  }
  if (tokens.size === 0) return new Map();
  return askIndex(context, "", (engine) => engine.subjectCovers(tokens));
}

type SeedChange = Readonly<Record<"add" | "remove", readonly Json[]>>;

/** Adds seeds to a list or series and removes others, as one change at most. Throws errors of list routes. */
async function saveSeeds(context: RequestContext, key: string, change: SeedChange) {
  const row = await readRecord(context.stores.catalog.withSession("first-primary"), key);
  if (row === undefined || !isListType(row.type)) throw listNotFound();
  await requireListWriter(context, ownerOfList(key));
  const checked = checkSeeds(row, change, context.settings.RECORD_PREFIX);
  const checkedRecord: CatalogRecord = { add: [...change.add], remove: [...change.remove] };
  return withListErrors(key, async () => {
    const [{ add, remove }] = await Promise.all([
      followChange(context, checked),
      refuseSpam(context, { documents: [checkedRecord], comment: null, suspectsAll: true }),
    ]);
    const request = {
      list: key,
      add: JSON.stringify(add),
      remove,
      sent: JSON.stringify(checkedRecord),
      ...(row.type === "/type/list" && { known: row }),
    };
    return { key, revision: await changeListSeeds(context, request) };
  });
}

/**
 * Replaces merged records among the seeds to add by their targets, and removes a record under its old keys, too (Q683).
 * One statement.
 */
async function followChange(
  context: RequestContext,
  { add, remove, stored }: ReturnType<typeof checkSeeds>,
): Promise<{ add: readonly Json[]; remove: string[] }> {
  const keys = [...add.flatMap((seed) => seedKeyOf(seed) ?? []), ...remove];
  const targets = await readSeedTargets(context, [...keys, ...(remove.length > 0 ? stored : [])]);
  const oldKeys = [...stored].filter((key) => remove.includes(targets.get(key) ?? ""));
  const removed = [...remove, ...remove.flatMap((key) => targets.get(key) ?? []), ...oldKeys];
  return { add: followSeeds(add, targets), remove: [...new Set(removed)] };
}

/** Returns the seeds to add in their stored form, and the keys of seeds to remove. Throws 400 for invalid seeds. */
function checkSeeds(row: RecordRow, change: SeedChange, prefix: string) {
  const normalized = normalizeSeeds(change.add, prefix);
  if ("failure" in normalized) throw failure(normalized.failure.key, normalized.failure.values);
  const { seeds: add } = normalized;
  const isSeries = row.type === "/type/series";
  if (isSeries && !add.every((seed) => seedTypeOf(seedKeyOf(seed) ?? "") === "work"))
    throw failure(INVALID_SEED.key);
  const stored = new Set(seedsOfRecord(parseDocument(row.document)).flatMap((seed) => seedKeyOf(seed) ?? []));
  const remove = [...new Set(change.remove.map((seed) => removedKeyOf(seed, stored, prefix)))];
  // Q264: each work is a record, and all of them are in memory at once.
  if (isSeries && add.length + remove.length > SERIES_SEEDS_MAX)
    throw failure(TOO_MANY_WORKS.key, TOO_MANY_WORKS.values);
  return { add, remove, stored };
}

/** Returns the key of a seed to remove. Stored seeds can be removed even if they are not valid any more. */
function removedKeyOf(seed: Json, stored: ReadonlySet<string>, prefix: string): string {
  const key = seedKeyOf(seed);
  if (key !== undefined && stored.has(key)) return key;
  const normalized = normalizeSeed(seed, prefix);
  if ("failure" in normalized) throw failure(normalized.failure.key, normalized.failure.values);
  return seedKeyOf(normalized.seed) ?? "";
}
