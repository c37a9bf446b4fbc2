import type { Text, TextError, TextKey } from "../../catalog/texts.ts";
import { ImportFailure } from "../../import/failure.ts";
import { readMarc } from "../../import/marc/binary.ts";
import {
  LENGTH_DIGITS,
  LENGTH_SLACK,
  MARC_LENGTH_MAX,
  MarcError,
  readStatedLength,
} from "../../import/marc/record.ts";
import { cutRecord } from "../../import/marc/stream.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { XmlError } from "../../import/xml/decode.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { localIdsOf, requireBook, requireCurrent } from "../../import/item.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import { itemSource } from "../platform/item-source.ts";
import { type ImportContext, type ImportOptions, importRecord, latestYear } from "./import-record.ts";

/** Runs a MARC reader. Throws ImportFailure for an unreadable record, with the text of the problem. */
export async function withMarcErrors<T>(
  read: () => Promise<T> | T,
  describe: (problem: TextError) => Text | TextKey = ({ text }) => text,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MarcError || error instanceof XmlError) {
      throw new ImportFailure("invalid-marc-record", describe(error));
    }
    throw error;
  }
}

export function parseBulkPlace(identifier: string) {
  const [, item, file, offset, length] = /^([^/]+)\/([^:]+):(\d{1,15}):(\d{1,15})$/.exec(identifier) ?? [];
  if (item === undefined || file === undefined) return undefined;
  return { item, file, offset: Number(offset), length: Number(length) };
}

interface BulkRequest extends Omit<ImportOptions, "fromMarc"> {
  /** `<item>/<file>:<offset>:<length>` */
  readonly identifier: string;
  /** Name below `/local_ids/`, or "". */
  readonly localId: string;
  readonly force: boolean;
}

/**
 * Imports one record of a bulk file. Q365: responses and failures include the location of the next record, for clients
 * that walk through a file. It is null at the end of the file.
 */
export async function importBulkRecord(context: ImportContext, request: BulkRequest) {
  const { identifier, localId, force, ...options } = request;
  const place = parseBulkPlace(identifier);
  if (place === undefined || place.length === 0 || place.length > MARC_LENGTH_MAX) {
    throw new ImportFailure("bad-input", "not_imported.bulk_identifier");
  }
  const { item, file, offset } = place;
  const source = itemSource(context);
  // Reads a record of about this length, and the length of the next one.
  const readBytes = async (length: number) => {
    const range = { offset, length: length + LENGTH_SLACK + LENGTH_DIGITS };
    return (await source.range(item, file, range)) ?? new Uint8Array();
  };
  let bytes: Uint8Array = await readBytes(place.length);
  let following: number | undefined;
  const stated = readStatedLength(bytes);
  if (stated !== undefined && stated !== 0) {
    const read = stated === place.length ? bytes : await readBytes(stated);
    bytes = cutRecord(read);
    following = readStatedLength(read, bytes.length);
  }
  const next = {
    next_record_offset: following === undefined ? null : offset + bytes.length,
    next_record_length: following ?? null,
  };
  const warnings: ImportWarning[] = [];
  try {
    const { marc, edition } = await withMarcErrors(
      async () => {
        const read = await readMarc(bytes);
        return { marc: read, edition: editionOfMarc(read, warnings, latestYear(context)) };
      },
      ({ message }) => ({ key: "not_imported.bulk_record", values: { identifier, reason: message } }),
    );
    const partner = localId === "" ? undefined : await readPartner(context, localId);
    if (!force) (partner === undefined ? requireBook : requireCurrent)(marc);
    const ids = partner === undefined ? [] : localIdsOf(marc, partner);
    const name = `marc:${item}/${file}:${offset}:${bytes.length}`;
    const record = { ...edition, source_records: [name], ...(ids.length > 0 && { local_id: ids }) };
    return { ...(await importRecord(context, record, { ...options, warnings })), ...next };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.code, error.text, { ...error.extra, ...next });
  }
}

async function readPartner({ stores }: ImportContext, name: string): Promise<CatalogRecord> {
  const row = await readRecord(stores.catalog, `/local_ids/${name}`);
  // Stored documents have been validated.
  const record = row === undefined ? undefined : (JSON.parse(row.document) as CatalogRecord);
  if (record !== undefined && typeKeyOf(record) === "/type/local_id") return record;
  throw new ImportFailure("bad-input", { key: "not_imported.local_id", values: { name } });
}
