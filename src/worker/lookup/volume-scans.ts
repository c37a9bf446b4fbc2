import { latestRecord } from "../../catalog/document.ts";
import { type ItemMetadata, itemFromSubjects } from "../../catalog/ebook-access.ts";

import { type EditionBundle, isCheckedOut, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type ScannedEdition, scanStatus } from "../../catalog/lookup/volumes.ts";
import { type CatalogRecord, keyOf, stringsOf } from "../../catalog/record.ts";
import { metadataOf } from "../../db/lending/holdings.ts";
import { type ScanRow, readScans } from "../../db/records/related.ts";
import type { Database } from "../../db/statement.ts";
import { distinct, gatherBundles, scanStatesText, workKeyOf } from "../holdings/bundles.ts";
import type { FoundEdition } from "../holdings/find-editions.ts";
import { lendingStates } from "../holdings/lending-of.ts";
import type { RequestContext } from "../http/operation.ts";

/** An edition with all around it, and the scans of all editions of its work; of an edition without a work its own. */
interface OfferedScans {
  readonly bundle: EditionBundle;
  readonly scans: readonly ScannedEdition[];
}

/**
 * Gathers around editions what volumes show. One round trip, one more where there are scans that are lent, and one where
 * works have been redirected.
 */
export async function gatherScans(
  database: Database,
  found: readonly FoundEdition[],
  context: RequestContext,
) {
  const named = distinct(found.map(({ edition }) => workKeyOf(edition)));
  const [bundles, siblings] = await Promise.all([
    gatherBundles(database, found, { depth: "work-and-authors", context }),
    readScans(database, named),
  ]);
  const { byEdition, items, revisions } = bundles;
  const works = distinct([...byEdition.values()].map(({ work }) => keyOf(work)));
  const moved = await readScans(
    database,
    works.filter((work) => !named.includes(work)),
  );
  const rows = [...siblings, ...moved].filter(({ work }) => works.includes(work));
  const byWork = Map.groupBy(rows, ({ work }) => work);
  const derive = context.settings.DERIVE_HOLDINGS;
  const offered = [...byEdition.values()].map((bundle) => ({
    bundle,
    scans: scansOf(bundle, { siblings: byWork.get(keyOf(bundle.work) ?? "") ?? [], items, derive }),
  }));
  const lent = [...new Set(offered.flatMap(lentScans))];
  const states = await lendingStates(context, lent);
  const stateOf = (edition: CatalogRecord) => states?.get(ocaidOf(edition) ?? "");
  const shown = offered.map(({ bundle, scans }): OfferedScans => {
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
    byEdition: new Map(shown.map((one) => [one.bundle.edition, one])),
    /** Records of the bundles, and of all editions with a scan. */
    shown: revisions,
    revisions: [...revisions, ...rows.map(({ key, revision }) => ({ key, revision }))],
    /** How the scans stand, which no revision tells: it decides the answer as well. */
    scanStates: shown.map(offersText).join(" "),
    /** Whether there are scans whose loans the answer shows: it can be another one at any moment. */
    isVolatile: lent.length > 0,
  };
}

/** Scans whose loans the answer shows. */
function lentScans({ bundle, scans }: OfferedScans): string[] {
  const lent = scans.filter(({ status }) => status === "lendable").map(({ edition }) => edition);
  const own = bundle.access === "borrowable" ? [bundle.edition] : [];
  return [...own, ...lent].map(ocaidOf).filter((scan) => scan !== undefined);
}

function offersText({ bundle, scans }: OfferedScans): string {
  const offers = scans.map(({ edition, status }) => `${ocaidOf(edition)} ${status}`);
  return [scanStatesText([bundle]), ...offers].join(" ");
}

/** `items` are the scans of the editions themselves. */
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
    return siblings.flatMap((row) => scannedEdition(latestRecord(row), metadataOf(row) ?? derived));
  }
  return scannedEdition(edition, items.get(ocaidOf(edition) ?? "") ?? derived);
}

/** The edition with the state of its scan; nothing when nothing is known of the scan. */
function scannedEdition(edition: CatalogRecord, item: ItemMetadata | undefined): ScannedEdition[] {
  if (item === undefined || ocaidOf(edition) === undefined) return [];
  return [{ edition, status: scanStatus(item, false) }];
}
