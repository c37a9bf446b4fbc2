import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type CoverCategory,
  type StoredImage,
  COVER_SEQUENCE,
  isUnrendered,
} from "../../db/covers/read-covers.ts";
import { noteRenditions, insertStoredCover } from "../../db/covers/write-covers.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { run } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Jobs } from "../http/queue.ts";
import { type CheckedImage, checkImage } from "./check-image.ts";
import { type Renditions, coverRenditions } from "./make-renditions.ts";
import { type CoverSize, COVER_SIZES } from "../../catalog/cover-sizes.ts";

export interface CoverToStore {
  readonly category: CoverCategory;
  /** Record of the cover, without its folder: `OL1M`; null if unknown. */
  readonly olid: string | null;
  readonly image: CheckedImage;
  /** Origin of the image; null if it was sent as a file. */
  readonly sourceUrl: string | null;
  /** Uploader, `/people/<username>`; null if unknown. */
  readonly author: string | null;
  readonly ip: string | null;
}

export const UNREADABLE_IMAGE = "the image cannot be unpacked";

/**
 * Stores an image in all sizes, and creates the cover. Returns its number, or undefined without storing anything if the
 * image cannot be decoded. An interruption leaves files under a number that is never used.
 */
export async function storeCover(
  { stores, sources }: { stores: Stores; sources: Sources },
  { image, ...cover }: CoverToStore,
): Promise<number | undefined> {
  const renditions = await coverRenditions(image, stores);
  if (renditions === undefined) return undefined;
  const id = await reserveNumber(stores.catalog, COVER_SEQUENCE);
  const [stored] = await Promise.all([
    putOriginal(stores.covers, id, image),
    putRenditions(stores.covers, id, renditions),
  ]);
  const now = formatDatetime(sources.now());
  await run(stores.catalog, insertStoredCover({ ...cover, id, now }, stored));
  return id;
}

type CoverStores = Pick<Stores, "covers" | "images">;

/**
 * Stores an image in all sizes under the existing number of a cover; undefined if it cannot be decoded. An image left
 * by an earlier attempt stays, and the smaller sizes are made from it.
 */
export async function storeFetched(
  stores: CoverStores,
  id: number,
  image: CheckedImage,
): Promise<StoredImage | undefined> {
  const { covers } = stores;
  const renditions = await coverRenditions(image, stores);
  if (renditions === undefined) return undefined;
  const { isNew, ...stored } = await putOriginal(covers, id, image);
  if (isNew) await putRenditions(covers, id, renditions);
  else await renderOriginal(stores, id);
  return stored;
}

/** Makes the smaller sizes of a stored image. False if it is missing or cannot be decoded. */
async function renderOriginal(stores: CoverStores, id: number): Promise<boolean> {
  const { covers } = stores;
  const original = await covers.get(originalName(id));
  if (original === null) return false;
  const image = checkImage(new Uint8Array(await original.arrayBuffer()), stores);
  const renditions = "key" in image ? undefined : await coverRenditions(image, stores);
  if (renditions === undefined) return false;
  await putRenditions(covers, id, renditions);
  return true;
}

export async function renderStored(id: number, { stores }: Jobs): Promise<void> {
  if (!(await isUnrendered(stores.catalog, id))) return;
  const isMade = await renderOriginal(stores, id);
  await noteRenditions(stores.catalog, id, isMade ? "made" : "none");
}

const ID_DIGITS = 10;

/** Returns the R2 key of the original image; `renditionName` that of a smaller size. */
export function originalName(id: number): string {
  return `covers/${String(id).padStart(ID_DIGITS, "0")}/o`;
}

export function renditionName(id: number, size: CoverSize): string {
  return `covers/${String(id).padStart(ID_DIGITS, "0")}/${size}.jpg`;
}

/** Puts the smaller sizes of a cover into R2. They depend on the original only, so repeating this is harmless. */
async function putRenditions(covers: R2Bucket, id: number, renditions: Renditions): Promise<void> {
  const options = { httpMetadata: { contentType: "image/jpeg" } };
  await Promise.all(
    COVER_SIZES.map((size) => covers.put(renditionName(id, size), renditions[size], options)),
  );
}

const side = z
  .string()
  .regex(/^[1-9]\d*$/)
  .transform(Number);
const metadata = z.object({ width: side, height: side });

/**
 * Puts an image into R2 under the number of its cover. An existing object stays and is described instead, so a repeated
 * step describes the stored image.
 */
export async function putOriginal(
  covers: R2Bucket,
  id: number,
  image: CheckedImage,
): Promise<StoredImage & { readonly isNew: boolean }> {
  const { bytes, contentType, width, height } = image;
  const put = await covers.put(originalName(id), bytes, {
    httpMetadata: { contentType },
    customMetadata: { width: String(width), height: String(height) },
    onlyIf: { etagDoesNotMatch: "*" },
  });
  if (put !== null) return { contentType, bytes: bytes.byteLength, width, height, isNew: true };
  const stored = await covers.head(originalName(id));
  if (stored === null) throw new Error(`cover ${id} is neither stored nor may it be`);
  return {
    ...metadata.parse(stored.customMetadata),
    contentType: stored.httpMetadata?.contentType ?? contentType,
    bytes: stored.size,
    isNew: false,
  };
}
