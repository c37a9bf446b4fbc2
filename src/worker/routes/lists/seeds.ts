import * as z from "zod";
import { revisionsEtag } from "../../../catalog/etag.ts";
import { seedEntry } from "../../../catalog/lists/seed-entry.ts";
import { ALL_SEEDS, type SeedWindow, readListSeeds } from "../../../db/lists/read-seeds.ts";
import { type RequestContext, catalogReader, coversUrl } from "../../context.ts";
import { jsonOrListPage } from "../../lists/json-or-page.ts";
import { listOperation } from "../../lists/list-operation.ts";
import { LISTS_CACHE_CONTROL, type ListFolder, listNotFound } from "../../lists/list-path.ts";
import { subjectPictures } from "../../lists/subject-pictures.ts";
import { type Reply, json } from "../../reply.ts";
import { integer } from "../../validation/parameters.ts";
import { RECORD_KEEP } from "../records/read-record.ts";

const answer = z.object({
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
});

/** `GET <list>/seeds.json`: all members of a list or series in their order (patrons.md 14.6). */
export const peopleListSeeds = seedsOperation("people", "peopleListSeeds");
export const listSeeds = seedsOperation("lists", "listSeeds");
export const seriesSeeds = seedsOperation("series", "seriesSeeds");
/** No series has such a key, so there is none. */
export const peopleSeriesSeeds = seedsOperation("people-series", "peopleSeriesSeeds");

function seedsOperation(folder: ListFolder, id: string) {
  return listOperation({
    id,
    summary: "Members of a list or series",
    folder,
    number: "olid",
    query: {
      limit: integer(z.int().gte(0)).optional().describe("All when it is not given"),
      offset: integer(z.int().gte(0)).default(0),
    },
    keep: RECORD_KEEP,
    responses: {
      200: { description: "All members in their order", schema: answer },
    },
    handle(key, { limit = ALL_SEEDS.count, offset }, context) {
      const window = { start: offset, count: Math.min(limit, ALL_SEEDS.count) };
      return jsonOrListPage(key, context, () => seedsReply(key, window, context));
    },
  });
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
