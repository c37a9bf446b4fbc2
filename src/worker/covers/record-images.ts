import * as z from "zod";
import { latestRecord, parseDocument } from "../../catalog/document.ts";
import { COVER_SIZES, LARGEST_COVER } from "../../catalog/cover-sizes.ts";
import { type CatalogRecord, type Json, keyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";
import { CarrelError, recordNotFound } from "../http/errors.ts";
import { catalogReader, coversUrl, operation } from "../http/operation.ts";
import { NO_STORE, headerText, redirect } from "../http/reply.ts";
import { type ImageKind, type ImageTarget, forKinds, targetOf } from "./image-kinds.ts";

/**
 * Reads the record whose images are requested. Throws 404, and 301 to the target of a redirected record, to which
 * `rest` is appended, such as `/add-cover`.
 */
export async function imageRecord(
  database: Database,
  { key, kind }: ImageTarget,
  rest?: string,
): Promise<CatalogRecord> {
  const row = await readRecord(database, key);
  if (row?.type === `/type/${kind.noun}`) return latestRecord(row);
  if (row?.type === "/type/redirect" && rest !== undefined) {
    const location = keyOf(parseDocument(row.document)["location"]);
    if (location !== undefined && /^\/[^/\\]/.test(location)) {
      const headers = { Location: headerText(location + rest) };
      throw new CarrelError(301, "moved", { body: null, headers });
    }
  }
  throw recordNotFound(key);
}

/** Maximum number of images of a record. */
export const RECORD_IMAGES_MAX = 1000;

/** Returns the stored images of a record, including -1 and null from the early years. */
export function storedImages(record: CatalogRecord, { images }: ImageKind): readonly Json[] {
  const value = record[images];
  return Array.isArray(value) ? value : [];
}

/** Returns the numbers of a record's images, without invalid values. */
export function imagesOf(record: CatalogRecord, kind: ImageKind): number[] {
  const numbers = storedImages(record, kind).filter((value) => typeof value === "number");
  return numbers.filter((number) => Number.isSafeInteger(number) && number > 0);
}

/** Wanted images of a record, in their order. */
export interface Arrangement {
  readonly images: readonly number[];
  /** Images that the client has seen; undefined if the client did not send them. */
  readonly shown: ReadonlySet<number> | undefined;
}

/** Returns the resulting images of the record. Q415: images added concurrently stay, and come first. */
export function arranged(before: readonly number[], { images, shown }: Arrangement): number[] {
  const unseen = shown === undefined ? [] : before.filter((id) => !shown.has(id) && !images.includes(id));
  return [...new Set([...unseen, ...images])];
}

/** `GET /books/OL1M/cover`, `/authors/OL1A/photo`: redirects to the image. */
export const showImage = forKinds((kind, names) =>
  operation({
    id: `${kind.noun}${names.image}`,
    summary: `Leads to the ${kind.image} of ${names.one}`,
    tag: "covers",
    path: names.path,
    query: { size: z.enum(COVER_SIZES).default(LARGEST_COVER) },
    responses: {
      301: { description: "The record has become another one" },
      302: { description: "The image" },
      404: { description: `No such ${kind.noun}` },
    },
    async handle({ path, query: { size } }, context) {
      const target = targetOf(kind, path, context);
      await imageRecord(catalogReader(context), target, `/${kind.image}${context.url.search}`);
      const address = `${coversUrl(context)}/${kind.category}/olid/${target.olid}-${size}.jpg`;
      return redirect(302, address, { cacheControl: NO_STORE });
    },
  }),
);
