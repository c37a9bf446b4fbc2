import { utf8Length } from "../../catalog/bytes.ts";

/** Listed files per scan. */
const ITEM_FILES_MAX = 1000;
/** Longest object key of R2, in bytes of UTF-8; R2 rejects longer keys. */
const OBJECT_KEY_BYTES = 1024;

/** A file of a scan in R2 `ARCHIVE`, below `items/<scan>/`. */
export interface ItemFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Lists the files of a scan, by name. */
export async function filesOfItem(archive: R2Bucket, ocaid: string): Promise<ItemFile[]> {
  const prefix = folderOf(ocaid);
  const { objects } = await archive.list({ prefix, limit: ITEM_FILES_MAX });
  return objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }));
}

/** Reads one file of a scan; undefined if there is no file of this name. */
export async function itemFile(
  archive: R2Bucket,
  ocaid: string,
  name: string,
): Promise<{ readonly body: ReadableStream; readonly contentType: string } | undefined> {
  const key = folderOf(ocaid) + name;
  const object = utf8Length(key) > OBJECT_KEY_BYTES ? null : await archive.get(key);
  if (object === null) return undefined;
  return { body: object.body, contentType: object.httpMetadata?.contentType ?? "application/octet-stream" };
}

/** Returns the key prefix of a scan's files in R2. */
export function folderOf(ocaid: string): string {
  return `items/${ocaid}/`;
}
