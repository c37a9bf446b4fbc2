import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { type ItemMetadata, itemFromSubjects } from "../../catalog/ebook-access.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { type BibKey, parseBibKey } from "../../catalog/lookup/bibkey.ts";
import {
  type EditionBundle,
  formatOrderedObject,
  isCheckedOut,
  ocaidOf,
  workKeyOf,
  distinctKeys,
} from "../../catalog/lookup/bundle.ts";
import {
  type Volume,
  type VolumesRequest,
  type ScannedEdition,
  VOLUME_KEYS_MAX,
  parseVolumesRequest,
  buildVolume,
  scanStatusOf,
} from "../../catalog/lookup/volumes.ts";
import { type CatalogRecord, keyOf, stringsOf } from "../../catalog/record.ts";
import { metadataOf } from "../../db/lending/holdings.ts";
import type { ReadRow } from "../../db/records/record-rows.ts";
import { type ScanRow, readScans } from "../../db/records/related.ts";
import type { Database } from "../../db/statement.ts";
import { gatherBundles, scanStatesText } from "./editions/bundles.ts";
import { type RequestContext, lookupConfig, catalogReader, operation } from "../http/operation.ts";
import { type EditionMatch, findByBibKeys } from "./editions/find-editions.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { validationFailed } from "../http/errors.ts";
import { boolean, callbackName } from "../http/parameters.ts";
import { type Reply, REVALIDATE, jsonp } from "../http/reply.ts";
import { RECORD_CACHE } from "../records/record-answer.ts";
import { invalid } from "../http/input-failures.ts";

// Q31: both give the same answer.
const briefOrFull = z.enum(["brief", "full"]).describe("Both values return the same response");
const query = {
  show_all_items: boolean().default(false).describe("Include restricted and checked-out items"),
  callback: callbackName(),
};
const volumeSchema = z.object({
  records: z.record(z.string(), z.looseObject({})),
  items: z.array(z.looseObject({})),
});

export const volumesSingle = operation({
  id: "volumesSingle",
  summary: "Look up a book and its scans by one identifier",
  tag: "lookup",
  path: {
    brief_or_full: briefOrFull,
    idtype: z.enum(["oclc", "lccn", "issn", "isbn", "htid", "olid", "recordnumber"]),
    idval: z.string(),
  },
  query,
  cache: RECORD_CACHE,
  responses: {
    200: {
      description: "Book, or an empty array",
      schema: z.union([volumeSchema, z.array(z.unknown()).max(0)]),
    },
  },
  async handle({ path: { idtype, idval }, query: params }, context) {
    const key = parseBibKey(`${idtype}:${idval}`, context.settings.RECORD_PREFIX);
    const requests = [{ label: key.requested, keys: [key] }];
    const { entries, more } = await readVolumes(requests, params.show_all_items, context);
    // Q5: an empty array, not an object, if nothing matches.
    return jsonp(JSON.stringify(entries[0]?.[1] ?? []), params.callback, more);
  },
});

export const volumesMulti = operation({
  id: "volumesMulti",
  summary: "Look up several books and their scans by identifiers",
  tag: "lookup",
  path: { brief_or_full: briefOrFull, req: z.string().describe("Books separated by |, their keys by ;") },
  query,
  cache: RECORD_CACHE,
  responses: {
    200: { description: "Books by label or request", schema: z.record(z.string(), volumeSchema) },
  },
  async handle({ path: { req }, query: params }, context) {
    const requests = parseVolumesRequest(req, context.settings.RECORD_PREFIX);
    checkSize(requests, req);
    const { entries, more } = await readVolumes(requests, params.show_all_items, context);
    return jsonp(formatOrderedObject(entries), params.callback, more);
  },
});

function checkSize(requests: readonly VolumesRequest[], req: string): void {
  const count = requests.reduce((total, { keys }) => total + keys.length, 0);
  if (count <= VOLUME_KEYS_MAX) return;
  const text = { key: "validation.list_max", values: { count: VOLUME_KEYS_MAX, actual: count } } as const;
  const ctx = { field_type: "List", max_length: VOLUME_KEYS_MAX, actual_length: count };
  const more = { type: "too_long", input: req.slice(0, 200), ctx };
  throw validationFailed([invalid(["path", "req"], text, more)]);
}

/** Reads one volume per request, by the first of its keys that has an edition. */
async function readVolumes(
  requests: readonly VolumesRequest[],
  showAllItems: boolean,
  context: RequestContext,
): Promise<{ entries: readonly (readonly [string, Volume])[]; more: Partial<Reply> }> {
  const database = catalogReader(context);
  const { matches, related } = await findByBibKeys(
    database,
    requests.flatMap(({ keys }) => keys),
    { withRelated: true },
  );
  const byKey = new Map<BibKey, EditionMatch>(matches.map((match) => [match.key, match]));
  const volumes = requests.flatMap(({ label, keys }) => {
    const match = keys.map((key) => byKey.get(key)).find((edition) => edition !== undefined);
    return match === undefined ? [] : [{ label, match }];
  });
  const editions = volumes.map(({ match }) => match);
  const gathered = await gatherScans(database, { editions, related, context });
  const config = lookupConfig(context);
  const entries = volumes.flatMap(({ label, match: { key, edition } }) => {
    const scans = gathered.byEdition.get(edition);
    if (scans === undefined) return [];
    return [[label, buildVolume({ ...scans, requested: key.requested, showAllItems, config })] as const];
  });
  const { bundleRevisions, revisions, scanStates, isVolatile } = gathered;
  const records = [...new Set(bundleRevisions.map(({ key }) => key))];
  // Q281: answers that show loans are not cached.
  const etag = computeRevisionsEtag(revisions, `${showAllItems} ${scanStates}`);
  return { entries, more: { etag, cacheControl: REVALIDATE, records, isVolatile } };
}

/** Edition with its related records, and the scans of all editions of its work, or its own without a work. */
interface EditionScans {
  bundle: EditionBundle;
  scans: readonly ScannedEdition[];
}

/**
 * Reads the related records, unless given, and scans of editions. One round trip, one more if there are lendable scans,
 * and one if works have been redirected.
 */
async function gatherScans(
  database: Database,
  {
    editions,
    related,
    context,
  }: { editions: readonly EditionMatch[]; related: readonly ReadRow[]; context: RequestContext },
) {
  const workKeys = distinctKeys(editions.map(({ edition }) => workKeyOf(edition)));
  const [bundles, siblings] = await Promise.all([
    gatherBundles(database, editions, { depth: "work-and-authors", context, related }),
    readScans(database, workKeys),
  ]);
  const { byEdition, items, revisions } = bundles;
  const works = distinctKeys([...byEdition.values()].map(({ work }) => keyOf(work)));
  const moved = await readScans(
    database,
    works.filter((work) => !workKeys.includes(work)),
  );
  const rows = [...siblings, ...moved].filter(({ work }) => works.includes(work));
  const byWork = Map.groupBy(rows, ({ work }) => work);
  const derive = context.settings.DERIVE_HOLDINGS;
  const withScans = [...byEdition.values()].map((bundle) => ({
    bundle,
    scans: scansOf(bundle, { siblings: byWork.get(keyOf(bundle.work) ?? "") ?? [], items, derive }),
  }));
  const lendable = [...new Set(withScans.flatMap(lendableScans))];
  const states = await lendingStates(context, lendable);
  const stateOf = (edition: CatalogRecord) => states?.get(ocaidOf(edition) ?? "");
  const withStates = withScans.map(({ bundle, scans }): EditionScans => {
    const lending = stateOf(bundle.edition);
    return {
      bundle: lending === undefined ? bundle : { ...bundle, lending },
      scans: scans.map(({ edition, status }) => ({
        edition,
        status: status === "lendable" && isCheckedOut(stateOf(edition)) ? "checked out" : status,
      })),
    };
  });
  return {
    byEdition: new Map(withStates.map((entry) => [entry.bundle.edition, entry])),
    bundleRevisions: revisions,
    revisions: [...revisions, ...rows.map(({ key, revision }) => ({ key, revision }))],
    /** States of the scans, on which the answer depends besides the revisions. */
    scanStates: withStates.map(statesText).join(" "),
    /** True if the answer shows loans, which can change at any moment. */
    isVolatile: lendable.length > 0,
  };
}

function lendableScans({ bundle, scans }: EditionScans): string[] {
  const lendable = scans.filter(({ status }) => status === "lendable").map(({ edition }) => edition);
  const editions = bundle.access === "borrowable" ? [bundle.edition, ...lendable] : lendable;
  return editions.map(ocaidOf).filter((scan) => scan !== undefined);
}

function statesText({ bundle, scans }: EditionScans): string {
  const states = scans.map(({ edition, status }) => `${ocaidOf(edition)} ${status}`);
  return [scanStatesText([bundle]), ...states].join(" ");
}

/** Returns the scans of an edition's work, or its own one, which is among `items`, if it has no work. */
function scansOf(
  { edition, work }: EditionBundle,
  {
    siblings,
    items,
    derive,
  }: { siblings: readonly ScanRow[]; items: ReadonlyMap<string, ItemMetadata>; derive: boolean },
): ScannedEdition[] {
  const derived = derive ? itemFromSubjects(stringsOf(work?.["subjects"])) : undefined;
  if (work !== undefined) {
    return siblings.flatMap((row) => scannedEditionOf(latestRecordOf(row), metadataOf(row) ?? derived));
  }
  return scannedEditionOf(edition, items.get(ocaidOf(edition) ?? "") ?? derived);
}

/** Returns the edition with the status of its scan; an empty array if the status is unknown. */
function scannedEditionOf(edition: CatalogRecord, item: ItemMetadata | undefined): ScannedEdition[] {
  if (item === undefined || ocaidOf(edition) === undefined) return [];
  return [{ edition, status: scanStatusOf(item, false) }];
}
