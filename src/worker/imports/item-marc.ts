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
import { decodeMarcXml } from "../../import/marc/xml.ts";
import type { ImportWarning } from "../../import/warning.ts";
import { XmlError } from "../../import/xml/decode.ts";
import type { ByteRange, ItemDescription, ItemSource } from "../platform/item.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { localIdsOf, requireBook, requireCurrent } from "../../import/item.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import { itemSource } from "../platform/item-source.ts";
import {
  type ImportOutcome,
  type ImportContext,
  type ImportOptions,
  importRecord,
  latestYear,
} from "./import-record.ts";

/** Reads the MARC record of an item: the binary file, else the XML file. Returns undefined without either. */
export async function readItemMarc(source: ItemSource, id: string, { files }: ItemDescription) {
  const listed = (name: string) => (files.includes(name) ? source.file(id, name) : undefined);
  const binary = await listed(`${id}_meta.mrc`);
  if (binary !== undefined) return readMarc(binary);
  const xml = await listed(`${id}_marc.xml`);
  return xml === undefined ? undefined : decodeMarcXml(xml);
}

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

export interface BulkPlace {
  readonly item: string;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

interface BulkRequest extends Omit<ImportOptions, "fromMarc"> {
  /** `<item>/<file>:<offset>:<length>` */
  readonly identifier: string;
  readonly localId: string | undefined;
  readonly force: boolean;
}

/** Location of the next record, for clients that walk through a file. Null at the end of the file. */
type NextRecord = { readonly [name in "next_record_offset" | "next_record_length"]: number | null };
const NO_NEXT_RECORD: NextRecord = { next_record_offset: null, next_record_length: null };

export function parseBulkPlace(identifier: string): BulkPlace | undefined {
  const [, item, file, offset, length] = /^([^/]+)\/([^:]+):(\d{1,15}):(\d{1,15})$/.exec(identifier) ?? [];
  if (item === undefined || file === undefined) return undefined;
  return { item, file, offset: Number(offset), length: Number(length) };
}

/** Imports one record of a bulk file. Q365: responses and failures include the location of the next record. */
export async function importBulkRecord(
  context: ImportContext,
  request: BulkRequest,
): Promise<ImportOutcome & NextRecord> {
  const { identifier, localId, force, ...options } = request;
  const place = parseBulkPlace(identifier);
  if (place === undefined || place.length === 0 || place.length > MARC_LENGTH_MAX) {
    throw new ImportFailure("bad-input", "not_imported.bulk_identifier");
  }
  const { bytes, next } = await readBulkRecord(itemSource(context), place);
  const warnings: ImportWarning[] = [];
  try {
    const { marc, edition } = await withMarcErrors(
      async () => {
        const read = await readMarc(bytes);
        return { marc: read, edition: editionOfMarc(read, warnings, latestYear(context)) };
      },
      ({ message }) => ({ key: "not_imported.bulk_record", values: { identifier, reason: message } }),
    );
    const partner = localId === undefined ? undefined : await readPartner(context, localId);
    if (!force) (partner === undefined ? requireBook : requireCurrent)(marc);
    const ids = partner === undefined ? [] : localIdsOf(marc, partner);
    const source = `marc:${place.item}/${place.file}:${place.offset}:${bytes.length}`;
    const record = { ...edition, source_records: [source], ...(ids.length > 0 && { local_id: ids }) };
    return { ...(await importRecord(context, record, { ...options, warnings })), ...next };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.code, error.text, { ...error.extra, ...next });
  }
}

async function readBulkRecord(source: ItemSource, place: BulkPlace) {
  const first = await readBytesAt(source, place, place.length);
  const stated = readStatedLength(first);
  if (stated === undefined || stated === 0) return { bytes: first, next: NO_NEXT_RECORD };
  const read = stated === place.length ? first : await readBytesAt(source, place, stated);
  const bytes = cutRecord(read);
  const following = readStatedLength(read, bytes.length);
  const next =
    following === undefined
      ? NO_NEXT_RECORD
      : { next_record_offset: place.offset + bytes.length, next_record_length: following };
  return { bytes, next };
}

/** Reads a record of about this length, and the length of the next one. */
async function readBytesAt(source: ItemSource, { item, file, offset }: BulkPlace, length: number) {
  const range: ByteRange = { offset, length: length + LENGTH_SLACK + LENGTH_DIGITS };
  return (await source.range(item, file, range)) ?? new Uint8Array();
}

async function readPartner({ stores }: ImportContext, name: string): Promise<CatalogRecord> {
  const row = await readRecord(stores.catalog, `/local_ids/${name}`);
  // Stored documents have been validated.
  const record = row === undefined ? undefined : (JSON.parse(row.document) as CatalogRecord);
  if (record !== undefined && typeKeyOf(record) === "/type/local_id") return record;
  throw new ImportFailure("bad-input", { key: "not_imported.local_id", values: { name } });
}
