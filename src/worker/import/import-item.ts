import { readLanguageIndex } from "../../db/imports/languages.ts";
import { ImportFailure } from "../../import/failure.ts";
import { itemRecord } from "../../import/item-record.ts";
import { itemMetadata, itemRefusal } from "../../import/item-metadata.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { ItemDescription, ItemSource } from "../platform/item.ts";
import { itemSource } from "../platform/item-source.ts";
import { itemMarc, readingMarc, refuseNoBook } from "./item-marc.ts";
import { type LoadAnswer, type LoadContext, type LoadOptions, loadRecord } from "./load-record.ts";

/** Which item of the archive is imported, and what is asked of it (import.md 3.1). */
export interface WantedItem {
  readonly identifier: string;
  /** True: an item without a MARC record fails. */
  readonly requireMarc: boolean;
  /** True: it is imported whatever its status and its leader say. */
  readonly force: boolean;
}

export type ItemImport = WantedItem & Omit<LoadOptions, "fromMarc">;

/**
 * Imports an item of the archive. Throws `ImportFailure` for what is wrong with it, and `ItemsFailure` when the archive does
 * not answer.
 */
export async function importItem(context: LoadContext, wish: ItemImport): Promise<LoadAnswer> {
  const { identifier, requireMarc, force, ...options } = wish;
  const { record, fromMarc } = await recordOfItem(context, { identifier, requireMarc, force });
  return loadRecord(context, record, { ...options, fromMarc });
}

interface ItemRecord {
  readonly record: ImportRecord;
  readonly fromMarc: boolean;
}

async function recordOfItem(context: LoadContext, wanted: WantedItem): Promise<ItemRecord> {
  const { identifier: id } = wanted;
  const source = itemSource(context);
  const item = await source.metadata(id);
  if (item === undefined) throw new ImportFailure("invalid-ia-identifier", `${id} not found`);
  if (!wanted.force) refuseItem(context, id, item);
  const marc = await marcRecord(source, item, wanted);
  if (marc === undefined && wanted.requireMarc) throw new ImportFailure("no-marc-record", "Invalid item");
  const record = marc ?? (await describedRecord(context, item));
  const cover = await source.cover(id);
  return {
    record: {
      ...record,
      ocaid: id,
      source_records: [`ia:${id}`],
      ...(cover === undefined ? {} : { cover }),
    },
    fromMarc: marc !== undefined,
  };
}

function refuseItem({ settings }: LoadContext, id: string, { metadata }: ItemDescription): void {
  const prefixesRefused = settings.ITEM_PREFIXES_REFUSED;
  const refusal = itemRefusal({ id, metadata: itemMetadata(metadata), prefixesRefused });
  if (refusal !== undefined) throw new ImportFailure(refusal, `Prohibited Item ${id}`);
}

function marcRecord(
  source: ItemSource,
  item: ItemDescription,
  { identifier, force }: WantedItem,
): Promise<ImportRecord | undefined> {
  return readingMarc(
    async () => {
      const marc = await itemMarc(source, identifier, item);
      if (marc === undefined) return undefined;
      if (!force) refuseNoBook(marc);
      return editionOfMarc(marc);
    },
    () => "Invalid item",
  );
}

async function describedRecord(
  { stores }: LoadContext,
  { metadata }: ItemDescription,
): Promise<ImportRecord> {
  return itemRecord(itemMetadata(metadata), await readLanguageIndex(stores.catalog));
}
