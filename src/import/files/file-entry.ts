import { stringsOf } from "../../catalog/record.ts";
import { utf8Length } from "../../catalog/bytes.ts";
import { IMPORT_DATA_BYTES, TOO_LONG } from "../batch-line.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, canonicalJson } from "../record.ts";
import { MarcError } from "../marc/record.ts";
import { XmlError } from "../xml/decode.ts";

interface FileItem {
  /** Source of the record, or a name from its position if it cannot be read. */
  readonly ia_id: string;
  readonly place: number;
  readonly data?: string;
  /** Error code and reason if the record cannot be read. */
  readonly status?: "failed";
  readonly error?: string;
  readonly comments?: string;
}

/** Piece of a batch's file. The next piece starts at `end`. */
export interface FileEntry {
  readonly end: number;
  /** Absent for comments and blank lines. */
  readonly item?: FileItem;
}

/** Open file of a batch: its bytes from `start` on. */
export interface OpenFile {
  /** Name of the batch, which is the prefix of its records' sources. */
  readonly name: string;
  readonly source: AsyncIterable<Uint8Array>;
  /** Offset of the first byte: 0 or the `end` of an entry. */
  readonly start: number;
  /** Number of records or lines before `start`. */
  readonly records: number;
}

/** Reader for the files of a format. Throws `FileProblem` if it cannot continue. */
export type FileReader = (file: OpenFile) => AsyncIterable<FileEntry>;

/** Error in a file that ends its reading, with a message for the uploader. */
export class FileProblem extends Error {}

/** Returns the name `<item>/<file>` of a batch's file in sources of records. */
export function sourceFile(name: string): string {
  return name.includes("/") ? name : `imports/${name}`;
}

/**
 * Returns the item of the record that `read` returns. A record that cannot be read becomes a failed item with the
 * reason.
 */
export async function toFileItem(
  place: { id: string; place: number },
  read: () => Promise<ImportRecord> | ImportRecord,
): Promise<FileItem> {
  try {
    const record = await read();
    const [source = ""] = stringsOf(record["source_records"]);
    if (source === "")
      throw new ImportFailure("missing-required-field", "missing required field(s): source_records");
    const data = canonicalJson(record);
    if (utf8Length(data) > IMPORT_DATA_BYTES) throw new ImportFailure("invalid-value", TOO_LONG);
    return { ia_id: source, data, place: place.place };
  } catch (error) {
    const { code, message } = toFailure(error);
    return { ia_id: place.id, place: place.place, status: "failed", error: code, comments: message };
  }
}

/** Error code of a record that crashed its reader: a bug in the reader, not an error in the record. */
export const BROKEN_READER = "unhandled-exception";

function toFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ImportFailure) return error;
  if (error instanceof MarcError) return { code: "invalid-marc-record", message: error.message };
  if (error instanceof XmlError) return { code: "invalid-xml", message: error.message };
  // No record may stop the whole file: this one is reported and the others continue.
  return { code: BROKEN_READER, message: String(error) };
}
