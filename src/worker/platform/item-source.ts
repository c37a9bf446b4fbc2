import type { Jobs } from "../http/queue.ts";
import { httpItems } from "./http-items.ts";
import { isFileName, isItemId } from "../../catalog/lending/holdings.ts";
import {
  type ByteRange,
  type ItemDescription,
  type ItemSource,
  ITEM_FILE_BYTES,
  ITEM_METADATA_BYTES,
  ItemsFailure,
  readItem,
} from "./item.ts";
import { utf8Length } from "../../catalog/bytes.ts";

const DESCRIPTION = "metadata.json";

function archiveItems(archive: R2Bucket): ItemSource {
  return {
    metadata: (id) => readMetadata(archive, id),
    file: (id, name) => readObject(archive, { id, name, maxBytes: ITEM_FILE_BYTES }),
    range: (id, name, part) => readRange(archive, keyOf(id, name), part),
    cover: () => Promise.resolve(undefined),
  };
}

async function readMetadata(archive: R2Bucket, id: string): Promise<ItemDescription | undefined> {
  if (!isItemId(id)) return undefined;
  const [bytes, files] = await Promise.all([
    readObject(archive, { id, name: DESCRIPTION, maxBytes: ITEM_METADATA_BYTES }),
    filesOfItem(archive, id),
  ]);
  const item = bytes === undefined ? undefined : readItem(bytes, id);
  if (item === undefined) return undefined;
  return { metadata: item.metadata, files: [...new Set([...item.files, ...files.map(({ name }) => name)])] };
}

async function readObject(
  archive: R2Bucket,
  { id, name, maxBytes }: { id: string; name: string; maxBytes: number },
) {
  const key = keyOf(id, name);
  const object = key === undefined ? null : await archive.get(key);
  if (object === null) return undefined;
  if (object.size <= maxBytes) return new Uint8Array(await object.arrayBuffer());
  await object.body.cancel();
  throw new ItemsFailure("archive.file_size", { name, id, most: maxBytes });
}

async function readRange(archive: R2Bucket, key: string | undefined, { offset, length }: ByteRange) {
  // R2 rejects a range that begins beyond the end, so the size is read first.
  const head = key === undefined ? null : await archive.head(key);
  if (head === null || offset >= head.size) return undefined;
  const object = await archive.get(head.key, {
    range: { offset, length: Math.min(length, head.size - offset) },
  });
  return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
}

function keyOf(id: string, name: string): string | undefined {
  return isItemId(id) && isFileName(name) ? itemFolderOf(id) + name : undefined;
}

/** Returns the item source chosen by the settings `ITEMS` and `ITEMS_URL`. `inHurry`: a client waits for the page. */
export function itemSource(
  { settings, stores }: Pick<Jobs, "settings" | "stores">,
  { inHurry = false } = {},
): ItemSource {
  const { ITEMS, ITEMS_URL: url, COVER_HOSTS: coverHosts } = settings;
  if (ITEMS === "archive") return archiveItems(stores.archive);
  if (url === "") return NOT_CONFIGURED;
  return httpItems({ url, coverHosts, cache: stores.cache, inHurry, wait: (ms) => scheduler.wait(ms) });
}

const rejectUnconfigured = (): Promise<never> => Promise.reject(new ItemsFailure("archive.not_configured"));
const NOT_CONFIGURED: ItemSource = {
  metadata: rejectUnconfigured,
  file: rejectUnconfigured,
  range: rejectUnconfigured,
  cover: rejectUnconfigured,
};

const ITEM_FILES_MAX = 1000;
const OBJECT_KEY_BYTES = 1024;

export type ItemFile = { name: string; size: number };

export async function filesOfItem(archive: R2Bucket, ocaid: string): Promise<ItemFile[]> {
  const prefix = itemFolderOf(ocaid);
  const { objects } = await archive.list({ prefix, limit: ITEM_FILES_MAX });
  return objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }));
}

export async function itemFile(archive: R2Bucket, ocaid: string, name: string) {
  const key = itemFolderOf(ocaid) + name;
  const object = utf8Length(key) > OBJECT_KEY_BYTES ? null : await archive.get(key);
  if (object === null) return undefined;
  return { body: object.body, contentType: object.httpMetadata?.contentType ?? "application/octet-stream" };
}

export function itemFolderOf(ocaid: string): string {
  return `items/${ocaid}/`;
}
