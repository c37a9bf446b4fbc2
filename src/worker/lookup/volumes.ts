import * as z from "zod";
import { revisionsEtag } from "../../catalog/etag.ts";
import { type BibKey, parseBibKey } from "../../catalog/lookup/bibkey.ts";
import { jsonObjectInOrder } from "../../catalog/lookup/bundle.ts";
import {
  type Volume,
  type VolumesRequest,
  VOLUME_KEYS_MAX,
  parseVolumesRequest,
  volume,
} from "../../catalog/lookup/volumes.ts";
import { lookupConfig } from "../holdings/bundles.ts";
import { type FoundEdition, findByBibKeys } from "../holdings/find-editions.ts";
import { validationFailed } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { boolean, callbackName } from "../http/parameters.ts";
import { type Reply, REVALIDATE, jsonp } from "../http/reply.ts";
import { RECORD_KEEP } from "../records/record-answer.ts";
import { gatherScans } from "./volume-scans.ts";

// Q31: both give the same answer.
const briefOrFull = z.enum(["brief", "full"]).describe("Both give the same answer");
const query = {
  show_all_items: boolean().default(false).describe("Restricted and lent items too"),
  callback: callbackName(),
};
const volumeSchema = z.object({
  records: z.record(z.string(), z.looseObject({})),
  items: z.array(z.looseObject({})),
});

/** `GET /api/volumes/{brief|full}/{idtype}/{idval}.json`: one book, its scans and those of its work. */
export const volumesSingle = operation({
  id: "volumesSingle",
  summary: "One book by an identifier, with what can be read or borrowed",
  tag: "lookup",
  path: {
    brief_or_full: briefOrFull,
    idtype: z.enum(["oclc", "lccn", "issn", "isbn", "htid", "olid", "recordnumber"]),
    idval: z.string(),
  },
  query,
  keep: RECORD_KEEP,
  responses: {
    200: {
      description: "The book, or an empty list",
      schema: z.union([volumeSchema, z.array(z.unknown()).max(0)]),
    },
  },
  async handle({ path: { idtype, idval }, query: asked }, context) {
    const key = parseBibKey(`${idtype}:${idval}`, context.settings.RECORD_PREFIX);
    const found = await volumesOf([{ label: key.requested, keys: [key] }], asked.show_all_items, context);
    const [first] = found.entries;
    // Q5: an empty array, not an object, when nothing matches.
    return jsonp(JSON.stringify(first?.[1] ?? []), asked.callback, found.more);
  },
});

/** `GET /api/volumes/{brief|full}/json/{req}.json`: several books, each by several identifiers. */
export const volumesMulti = operation({
  id: "volumesMulti",
  summary: "Several books by identifiers, with what can be read or borrowed",
  tag: "lookup",
  path: { brief_or_full: briefOrFull, req: z.string().describe("Books parted by |, keys of one book by ;") },
  query,
  keep: RECORD_KEEP,
  responses: {
    200: { description: "Books by label or request", schema: z.record(z.string(), volumeSchema) },
  },
  async handle({ path: { req }, query: asked }, context) {
    const requests = parseVolumesRequest(req, context.settings.RECORD_PREFIX);
    checkSize(requests, req);
    const found = await volumesOf(requests, asked.show_all_items, context);
    return jsonp(jsonObjectInOrder(found.entries), asked.callback, found.more);
  },
});

function checkSize(requests: readonly VolumesRequest[], req: string): void {
  const count = requests.reduce((total, { keys }) => total + keys.length, 0);
  if (count <= VOLUME_KEYS_MAX) return;
  const msg = `List should have at most ${VOLUME_KEYS_MAX} items after validation, not ${count}`;
  const ctx = { field_type: "List", max_length: VOLUME_KEYS_MAX, actual_length: count };
  throw validationFailed([{ type: "too_long", loc: ["path", "req"], msg, input: req.slice(0, 200), ctx }]);
}

/** The first key of each request that has an edition decides. */
async function volumesOf(
  requests: readonly VolumesRequest[],
  showAllItems: boolean,
  context: RequestContext,
): Promise<{ readonly entries: readonly (readonly [string, Volume])[]; readonly more: Partial<Reply> }> {
  const database = catalogReader(context);
  const all = await findByBibKeys(
    database,
    requests.flatMap(({ keys }) => keys),
  );
  const byKey = new Map<BibKey, FoundEdition>(all.map((one) => [one.key, one]));
  const chosen = requests.flatMap(({ label, keys }) => {
    const found = keys.map((key) => byKey.get(key)).find((one) => one !== undefined);
    return found === undefined ? [] : [{ label, found }];
  });
  const found = chosen.map((one) => one.found);
  const gathered = await gatherScans(database, found, context);
  const config = lookupConfig(context);
  const entries = chosen.flatMap(({ label, found: { key, edition } }) => {
    const offered = gathered.byEdition.get(edition);
    if (offered === undefined) return [];
    return [[label, volume({ ...offered, requested: key.requested, showAllItems, config })] as const];
  });
  const { shown, revisions, scanStates, isVolatile } = gathered;
  const records = [...new Set(shown.map(({ key }) => key))];
  // Q281: whether a book is lent out is said at once, so answers that say it are not kept.
  const etag = revisionsEtag(revisions, `${showAllItems} ${scanStates}`);
  return { entries, more: { etag, cacheControl: REVALIDATE, records, isVolatile } };
}
