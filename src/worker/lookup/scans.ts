import { latestRecord } from "../../catalog/document.ts";
import { type ItemMetadata, itemFromSubjects } from "../../catalog/ebook-access.ts";
import type { Revised } from "../../catalog/etag.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/shared.ts";
import { type ScannedEdition, scanStatus } from "../../catalog/lookup/volumes.ts";
import { type CatalogRecord, keyOf, stringsOf } from "../../catalog/record.ts";
import { readItems } from "../../db/holdings/read-items.ts";
import { readScans } from "../../db/records/read-scans.ts";
import type { RequestContext } from "../context.ts";

/** Scans by the edition they are offered with, and the records whose revisions decide the answer. */
export interface Scans {
  readonly byEdition: ReadonlyMap<CatalogRecord, readonly ScannedEdition[]>;
  readonly revisions: readonly Revised[];
}

/** The scans of all editions of each edition's work; of an edition without a work its own. Two statements. */
export async function gatherScans(
  database: D1DatabaseSession,
  bundles: readonly EditionBundle[],
  { settings }: RequestContext,
): Promise<Scans> {
  const works = bundles.map(({ work }) => keyOf(work)).filter((key) => key !== undefined);
  const rows = await readScans(database, works);
  const siblings = Map.groupBy(rows, ({ work }) => work);
  const editionsOf = ({ edition, work }: EditionBundle): CatalogRecord[] =>
    work === undefined ? [edition] : (siblings.get(keyOf(work) ?? "") ?? []).map(latestRecord);
  const offered = bundles.map((bundle) => ({ bundle, editions: editionsOf(bundle) }));
  const ocaids = offered.flatMap(({ editions }) => editions.map(ocaidOf)).filter((id) => id !== undefined);
  const items = await readItems(database, [...new Set(ocaids)]);
  const holdings = { items, derive: settings.DERIVE_HOLDINGS };
  const byEdition = new Map(
    offered.map(({ bundle, editions }) => [
      bundle.edition,
      editions.flatMap((edition) => scannedEdition(edition, bundle.work, holdings)),
    ]),
  );
  return { byEdition, revisions: rows.map(({ key, revision }) => ({ key, revision })) };
}

interface Holdings {
  readonly items: ReadonlyMap<string, ItemMetadata>;
  readonly derive: boolean;
}

/** The edition with the state of its scan; nothing when nothing is known of the scan. */
function scannedEdition(
  edition: CatalogRecord,
  work: CatalogRecord | undefined,
  { items, derive }: Holdings,
): ScannedEdition[] {
  const ocaid = ocaidOf(edition);
  if (ocaid === undefined) return [];
  const item = items.get(ocaid) ?? (derive ? itemFromSubjects(stringsOf(work?.["subjects"])) : undefined);
  // Nothing is lent out as long as there are no loan desks.
  return item === undefined ? [] : [{ edition, status: scanStatus(item, false) }];
}
