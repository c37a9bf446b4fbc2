import { stringsOf } from "../../catalog/record.ts";
import { utf8Length } from "../../catalog/utf8.ts";
import { IMPORT_DATA_BYTES, TOO_LONG } from "../batch-line.ts";
import { ImportFailure } from "../failure.ts";
import { canonicalJson } from "../json.ts";
import { MarcError } from "../marc/record.ts";
import type { ImportRecord } from "../record.ts";
import { XmlError } from "../xml/error.ts";

/** A record of a file, as it is queued. */
interface FileItem {
  /** Its source; of one that cannot be read a name of its place. */
  readonly ia_id: string;
  /** Where it stands in the file. */
  readonly place: number;
  /** JSON text of the record. */
  readonly data?: string;
  /** Why it cannot be read, if so: code and reason. */
  readonly status?: "failed";
  readonly error?: string;
  readonly comments?: string;
}

/** A piece of a batch's file: what comes next begins at `end`. */
export interface FileEntry {
  readonly end: number;
  /** Absent for what is no record: comments, blank lines. */
  readonly item?: FileItem;
}

/** A file of a batch as it is read: its bytes from `start` on. */
export interface OpenFile {
  /** Name of the batch: sources of its records begin with it. */
  readonly name: string;
  readonly source: AsyncIterable<Uint8Array>;
  /** Where the bytes begin; 0 or the `end` of an entry. */
  readonly start: number;
  /** Records, or lines, before it. */
  readonly records: number;
}

/** What a batch's files are made of, by format. Throws `FileProblem` when there is no reading on. */
export type FileReader = (file: OpenFile) => AsyncIterable<FileEntry>;

/** Why a file cannot be read on, for whoever put it there. */
export class FileProblem extends Error {}

/** `<item>/<file>` as sources of records name the file of a batch. */
export function sourceFile(name: string): string {
  return name.includes("/") ? name : `imports/${name}`;
}

/** The item of a record that `read` gives. One that cannot be read is an item too, failed and with the reason. */
export async function itemOf(
  place: { readonly id: string; readonly place: number },
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
    const { code, message } = failureOf(error);
    return { ia_id: place.id, place: place.place, status: "failed", error: code, comments: message };
  }
}

/** Code of a record that broke its reader, which is nobody's fault but the reader's. */
export const BROKEN_READER = "unhandled-exception";

function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof ImportFailure) return error;
  if (error instanceof MarcError) return { code: "invalid-marc-record", message: error.message };
  if (error instanceof XmlError) return { code: "invalid-xml", message: error.message };
  // No record may stop its file: this one is told of, and the others go on.
  return { code: BROKEN_READER, message: String(error) };
}
