import { datetimeText } from "../../catalog/datetime.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { COVER_SEQUENCE, storedCover } from "../../db/covers/cover-rows.ts";
import { reserveNumbers } from "../../db/changes/reserve-numbers.ts";
import { readRights } from "../../db/merges/read-rights.ts";
import { prepare } from "../../db/statement.ts";
import { type RequestContext, coversUrl } from "../context.ts";
import { forbidden } from "../errors.ts";
import { editRecords } from "../writes/edit.ts";
import { refuseSpam } from "../writes/spam.ts";
import type { CheckedImage } from "./check-image.ts";
import { putOriginal } from "./cover-object.ts";

/** An image for an edition. */
export interface AddedCover {
  /** `OL1M` */
  readonly olid: string;
  readonly image: CheckedImage;
  /** Where it comes from; null when it was sent as a file. */
  readonly sourceUrl: string | null;
}

/** Refuses those who may not give an edition a cover, before anything is fetched or stored for them. */
export async function refuseCover(
  context: RequestContext,
  { olid, sourceUrl }: Pick<AddedCover, "olid" | "sourceUrl">,
): Promise<void> {
  await refuseSpam(context, { documents: [], comment: sourceUrl });
  const { key: user } = await context.actor();
  const key = `/books/${olid}`;
  const rights = await readRights(context.stores.catalog, user ?? "", [key]);
  if (!rights.mayWrite(key)) throw forbidden(`Permission denied to modify '${key}'`);
}

/**
 * Stores an image and puts its number first in `covers` of an edition, as a change of the user's (lookup.md 7). Returns the
 * number. Should this break off, an image is left that no record shows.
 */
export async function addCover(
  context: RequestContext,
  { olid, image, sourceUrl }: AddedCover,
): Promise<number> {
  const { stores, sources, client } = context;
  const { key: author } = await context.actor();
  const id = await reserveNumbers(stores.catalog, COVER_SEQUENCE, 1);
  const stored = await putOriginal(stores.covers, id, image);
  const now = datetimeText(sources.now());
  await prepare(stores.catalog, storedCover({ id, olid, sourceUrl, author, ip: client, now }, stored)).run();
  const key = `/books/${olid}`;
  await editRecords(context, [key], (records) => {
    const edition = records.get(key);
    if (edition === undefined) return undefined;
    return {
      documents: [withCover(edition, id)],
      kind: "add-cover",
      comment: `${coversUrl(context)}/b/id/${id}-S.jpg`,
      data: { url: sourceUrl ?? "" },
    };
  });
  return id;
}

function withCover(edition: CatalogRecord, id: number): CatalogRecord {
  const { covers } = edition;
  return { ...edition, covers: [id, ...(Array.isArray(covers) ? covers : [])] };
}
