import * as z from "zod";
import { COVER_SIZES, LARGEST_COVER } from "../../catalog/cover-sizes.ts";
import { latestRecordOf, parseDocument } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, keyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";
import { recordNotFound } from "../http/errors.ts";
import { Failure } from "../http/failure.ts";
import {
  type AnyOperation,
  type RequestContext,
  catalogReader,
  coversUrl,
  operation,
} from "../http/operation.ts";
import { type Reply, NO_STORE, json, headerText, redirect } from "../http/reply.ts";
import { type ImageKind, AUTHOR, EDITION, WORK } from "./image-kinds.ts";

/** Defines one operation per kind of record. */
export function forKinds(
  make: (kind: ImageKind, names: ReturnType<typeof namesOf>) => AnyOperation,
): Readonly<Record<ImageKind["noun"], AnyOperation>> {
  return {
    edition: make(EDITION, namesOf(EDITION)),
    work: make(WORK, namesOf(WORK)),
    author: make(AUTHOR, namesOf(AUTHOR)),
  };
}

function namesOf({ noun, image, images }: ImageKind) {
  return {
    noun: capital(noun),
    image: capital(image),
    images: capital(images),
    one: /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`,
    path: { [`${noun}_id`]: z.string().describe(`Digits of the ${noun}'s number`) },
    schema: z.object({
      key: z.string(),
      [images]: z.array(z.int()).describe("Numbers of images; pages show the first one"),
    }),
  };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export interface ImageTarget {
  readonly kind: ImageKind;
  readonly olid: string;
  readonly key: string;
}

/** Message after an image was added; without it, BWBCoverBot treats its upload as failed. */
export const SAVED = "Saved!";

export function imageTargetOf(
  kind: ImageKind,
  path: Readonly<Record<string, unknown>>,
  { settings }: RequestContext,
): ImageTarget {
  const olid = `${settings.RECORD_PREFIX}${String(path[`${kind.noun}_id`])}${kind.letter}`;
  return { kind, olid, key: `/${kind.folder}/${olid}` };
}

export function imagesReply(
  { key, kind }: ImageTarget,
  images: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return json(
    { ...more, key, [kind.images]: images },
    { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
  );
}

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
  if (row?.type === `/type/${kind.noun}`) return latestRecordOf(row);
  if (row?.type === "/type/redirect" && rest !== undefined) {
    const location = keyOf(parseDocument(row.document)["location"]);
    if (location !== undefined && /^\/[^/\\]/.test(location)) {
      const headers = { Location: headerText(location + rest) };
      throw new Failure(301, "moved", { body: null, headers });
    }
  }
  throw recordNotFound(key);
}

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

export interface Arrangement {
  readonly images: readonly number[];
  /** Images that the client has displayed; undefined if it did not send them. */
  readonly displayed: ReadonlySet<number> | undefined;
}

/** Returns the resulting images of a record. Q415: images added concurrently stay, and come first. */
export function applyArrangement(before: readonly number[], { images, displayed }: Arrangement): number[] {
  const unseen =
    displayed === undefined ? [] : before.filter((id) => !displayed.has(id) && !images.includes(id));
  return [...new Set([...unseen, ...images])];
}

export const showImage = forKinds((kind, names) =>
  operation({
    id: `${kind.noun}${names.image}`,
    summary: `Redirect to the ${kind.image} of ${names.one}`,
    tag: "covers",
    path: names.path,
    query: { size: z.enum(COVER_SIZES).default(LARGEST_COVER) },
    responses: {
      301: { description: "Redirect to the record that it was merged into" },
      302: { description: "Redirect to the image" },
    },
    async handle({ path, query: { size } }, context) {
      const target = imageTargetOf(kind, path, context);
      await imageRecord(catalogReader(context), target, `/${kind.image}${context.url.search}`);
      const address = `${coversUrl(context)}/${kind.category}/olid/${target.olid}-${size}.jpg`;
      return redirect(302, address, { cacheControl: NO_STORE });
    },
  }),
);
