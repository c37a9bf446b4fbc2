import { utf8Length } from "../../catalog/utf8.ts";

/** Files of one scan that are listed. */
const ITEM_FILES_MAX = 1000;
/** Longest key of an object in R2, in bytes of UTF-8: longer ones are an error there. */
const OBJECT_KEY_BYTES = 1024;

/** A file of a scan in R2 `ARCHIVE`, below `items/<scan>/`. */
export interface ItemFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** The files of a scan, by name. */
export async function filesOfItem(archive: R2Bucket, ocaid: string): Promise<ItemFile[]> {
  const prefix = folderOf(ocaid);
  const { objects } = await archive.list({ prefix, limit: ITEM_FILES_MAX });
  return objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }));
}

/** One of the files; undefined when there is none of this name. */
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

/** Where the files of a scan lie. */
export function folderOf(ocaid: string): string {
  return `items/${ocaid}/`;
}
