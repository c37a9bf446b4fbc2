import * as z from "zod";
import { revisionsEtag } from "../../catalog/etag.ts";
import { type ListSeed, seedEntry } from "../../catalog/lists/seed-entry.ts";
import { type SeedWindow, ALL_SEEDS, readListSeeds } from "../../db/lists/seeds.ts";
import { readSubjectCovers } from "../../db/search/subject-counts.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { RECORD_KEEP } from "../records/record.ts";
import { indexReaderOf } from "../search/engine.ts";
import { guarded } from "../search/guarded.ts";
import { jsonOrListPage } from "./list.ts";
import { LISTS_CACHE_CONTROL, NO_LIST, OLID_PATH, listNotFound, listOperations } from "./operation.ts";
import { subjectToken } from "./subjects.ts";

/** Subjects of one answer that get a picture; those beyond have none. */
const SUBJECT_PICTURES_MAX = 100;

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
  return guarded(async () => readSubjectCovers(await indexReaderOf(context), tokens), "");
}

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

/** `GET <list>/seeds.json`: all members of a list or series in their order. */
export const listSeeds = listOperations({
  ids: {
    people: "peopleListSeeds",
    // No series has such a key, so there is none.
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
  responses: { ...NO_LIST, 200: { description: "All members in their order", schema: answer } },
  handle({ key }, { query: { limit = ALL_SEEDS.count, offset } }, context) {
    const window = { start: offset, count: Math.min(limit, ALL_SEEDS.count) };
    return jsonOrListPage(key, context, () => seedsReply(key, window, context));
  },
});

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
