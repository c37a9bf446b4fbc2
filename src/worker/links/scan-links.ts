import { type CatalogRecord, stringsOf, typeKey } from "../../catalog/record.ts";
import { findEditionKeys } from "../../db/identifiers/find-edition-keys.ts";
import type { RequestContext } from "../context.ts";
import { notFound, unavailable } from "../errors.ts";
import { botWriter } from "../import/writer.ts";
import { editRecords } from "../writes/edit.ts";

/** Editions that lose a scan in one change, and such changes of one request. */
export const UNLINKED_EDITIONS_MAX = 200;
export const UNLINK_CHANGES_MAX = 10;

const KIND = "edit-edition-ocaid";

/** Says of an edition that a scan is of it; one that has another scan gets this one. Throws a 404. */
export async function linkScan(context: RequestContext, key: string, ocaid: string): Promise<void> {
  await editRecords(context, [key], (records) => {
    const edition = records.get(key);
    if (edition === undefined || typeKey(edition) !== "/type/edition") throw notFound();
    if (edition["ocaid"] === ocaid) return undefined;
    return change(context, [{ ...edition, ocaid }], "Associate OCAID with record");
  });
}

/** Takes a scan from every edition that has it, or was made of its record. Throws a 404 when there is none. */
export async function unlinkScan(context: RequestContext, ocaid: string, comment: string): Promise<void> {
  const wanted = [
    { kind: "ocaid", value: ocaid },
    { kind: "source", value: `ia:${ocaid}` },
  ];
  for (let changes = 0; changes < UNLINK_CHANGES_MAX; changes += 1) {
    const catalog = context.stores.catalog.withSession("first-primary");
    const keys = await findEditionKeys(catalog, wanted, UNLINKED_EDITIONS_MAX);
    if (keys.length === 0 && changes === 0) throw notFound();
    if (keys.length === 0) return;
    await editRecords(context, keys, (records) => {
      const documents = [...records.values()].filter((edition) => hasScan(edition, ocaid));
      const without = documents.map((edition) => withoutScan(edition, ocaid));
      return without.length === 0 ? undefined : change(context, without, comment);
    });
    if (keys.length < UNLINKED_EDITIONS_MAX) return;
  }
  throw unavailable("Not all editions have lost the scan yet. Please ask again.");
}

/** As the account that imports are made by, whatever that may do: the signature is what allows it. */
function change({ settings }: RequestContext, documents: readonly CatalogRecord[], comment: string) {
  const { author, bot } = botWriter(settings);
  return { documents, kind: KIND, comment, authority: "service", author, bot } as const;
}

function hasScan(edition: CatalogRecord, ocaid: string): boolean {
  return edition["ocaid"] === ocaid || stringsOf(edition["source_records"]).includes(`ia:${ocaid}`);
}

function withoutScan(edition: CatalogRecord, ocaid: string): CatalogRecord {
  const { ocaid: scan, source_records: sources, ...others } = edition;
  const kept = stringsOf(sources).filter((source) => source !== `ia:${ocaid}`);
  return {
    ...others,
    ...(scan === undefined || scan === ocaid ? {} : { ocaid: scan }),
    ...(kept.length === 0 ? {} : { source_records: kept }),
  };
}
