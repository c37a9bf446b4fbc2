import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { readRights } from "../../db/records/permissions.ts";
import { byAddress, spend } from "../accounts/budgets.ts";
import { editRecords } from "../editing/edit-records.ts";
import type { ChangeRequest } from "../editing/edit-desk.ts";
import { refuseSpam } from "../editing/save-change.ts";
import { recordNotFound } from "../http/errors.ts";
import { Failure, failure } from "../http/failure.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, coversUrl } from "../http/operation.ts";
import type { CheckedImage } from "./check-image.ts";
import {
  type ImageTarget,
  type Arrangement,
  RECORD_IMAGES_MAX,
  applyArrangement,
  imagesOf,
  storedImages,
} from "./record-images.ts";
import { removeCover } from "./remove.ts";
import { storeCover } from "./store-cover.ts";
import { imageError } from "./source-image.ts";

/** Throws 403 if the user may not change a record, and for spam. Call before anything is fetched or stored. */
export async function refuseImages(
  context: RequestContext,
  { key }: ImageTarget,
  sourceUrl: string | null,
): Promise<void> {
  await refuseSpam(context, { documents: [], comment: sourceUrl });
  const { key: user } = await context.actor();
  const rights = await readRights(context.stores.catalog, user ?? "", [key]);
  if (!rights.mayWrite(key)) throw failure("forbidden.modify", { key });
}

export interface FirstImage {
  readonly id: number;
  readonly images: readonly number[];
}

/**
 * Stores an image and puts its number first in the record, as a change of the user's; undefined if the image cannot be
 * decoded. If saving the record fails, the image is deleted again. An interruption can leave an image that no record
 * shows. `sourceUrl` is the origin of the image; null if it was sent as a file.
 */
export async function addImage(
  context: RequestContext,
  target: ImageTarget,
  { image, sourceUrl }: { image: CheckedImage; sourceUrl: string | null },
): Promise<FirstImage | undefined> {
  const { key: author } = await context.actor();
  const { olid, kind } = target;
  const cover = { category: kind.category, olid, image, sourceUrl, author, ip: context.client };
  const id = await storeCover(context, cover);
  if (id === undefined) return undefined;
  try {
    return await putFirst(context, target, { id, sourceUrl });
  } catch (error) {
    // After any other failure the record may have been saved; it must not show a deleted image.
    if (error instanceof Failure) {
      await removeCover(context, id).catch((thrown: unknown) => {
        const problem = "no record shows it";
        logLine("error", "cover", { cover: id, problem, error: String(loggable(thrown)) });
      });
    }
    throw error;
  }
}

export async function putFirst(
  context: RequestContext,
  target: ImageTarget,
  { id, sourceUrl }: { id: number; sourceUrl: string | null },
): Promise<FirstImage> {
  const { kind } = target;
  let images: readonly number[] = [];
  await editImages(context, target, (record) => {
    const newImages = [id, ...storedImages(record, kind).filter((image) => image !== id)];
    if (newImages.length > RECORD_IMAGES_MAX) throw tooManyImages();
    const document = { ...record, [kind.images]: newImages };
    images = imagesOf(document, kind);
    return {
      documents: [document],
      kind: `add-${kind.image}`,
      comment: kind.image === "photo" ? "Added new photo" : `${coversUrl(context)}/b/id/${id}-S.jpg`,
      data: { url: sourceUrl ?? "" },
    };
  });
  return { id, images };
}

export async function arrangeImages(
  context: RequestContext,
  target: ImageTarget,
  arrangement: Arrangement,
): Promise<readonly number[]> {
  const { kind } = target;
  let images: readonly number[] = [];
  await editImages(context, target, (record) => {
    images = applyArrangement(imagesOf(record, kind), arrangement);
    if (images.length > RECORD_IMAGES_MAX) throw tooManyImages();
    return {
      documents: [{ ...record, [kind.images]: [...images] }],
      kind: kind.updating,
      comment: `Update ${kind.images}`,
    };
  });
  return images;
}

function editImages(
  context: RequestContext,
  { key, kind }: ImageTarget,
  change: (record: CatalogRecord) => ChangeRequest,
) {
  return editRecords(context, [key], (records) => {
    const record = records.get(key);
    if (record === undefined || typeKeyOf(record) !== `/type/${kind.noun}`) throw recordNotFound(key);
    return change(record);
  });
}

function tooManyImages(): Failure {
  return imageError("bad_request.record_images", { most: RECORD_IMAGES_MAX }, "too_many_images");
}

/** Budget of images that one account sends to records, successful or not (Q492). */
export const IMAGES_OF_ONE = { limit: 300, seconds: 3600 };

/** Counts an image against the budget of the account, or of the address without an account. Throws 429. */
export async function countImage(context: RequestContext): Promise<void> {
  const { key } = await context.actor();
  const buckets =
    key === null
      ? byAddress(context, "images", IMAGES_OF_ONE)
      : [{ name: `images of ${key}`, budget: IMAGES_OF_ONE }];
  await spend(context, buckets);
}
