import * as z from "zod";
import { Buffer } from "node:buffer";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type CoverCategory,
  type DescribedCover,
  FIRST_OWN_COVER,
  readCover,
} from "../../db/covers/read-covers.ts";
import { isUnmodified } from "../http/answer.ts";
import { notFound } from "../http/errors.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, operation, catalogReader } from "../http/operation.ts";
import { type Reply, redirect, REVALIDATE, json } from "../http/reply.ts";
import { type CoverName, isNumberKey, resolveCover } from "../search/resolve-cover.ts";
import { forCategories } from "./categories.ts";
import { originalName, renditionName } from "./store-cover.ts";
import { type CoverSize, COVER_SIZE_PATTERN, COVER_SIZES } from "../../catalog/cover-sizes.ts";

const FALLBACK_SECONDS = 600;

/**
 * Redirects a cover that is not in the store to the service that has the covers of loaded records
 * (`COVER_FALLBACK_BASE`); undefined without such a service, and for covers that only this service can have (Q404).
 * `suffix` is the end of the requested address, such as `-M.jpg`.
 */
function fallbackRedirect(
  { settings: { COVER_FALLBACK_BASE: base }, url }: RequestContext,
  { category, id, suffix }: { category: CoverCategory; id: number; suffix: string },
): Reply | undefined {
  if (base === "" || id >= FIRST_OWN_COVER) return undefined;
  const address = `${base.replace(/\/$/, "")}/${category}/id/${id}${suffix}`;
  const fallback = url.searchParams.get("default");
  const query = fallback === null ? "" : `?${new URLSearchParams({ default: fallback })}`;
  return redirect(302, address + query, { cacheControl: `public, max-age=${FALLBACK_SECONDS}` });
}

/** Transparent pixel, the answer for a missing cover (Q44). */
const BLANK = Buffer.from(
  "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b",
  "hex",
);
/** Cache lifetimes in seconds, of images that never change and of all else; a century for `Expires`. */
const IMAGE_SECONDS = 31_536_000;
const COVER_SECONDS = 600;
const CENTURY_SECONDS = 100 * IMAGE_SECONDS;

/** Name from the address, without `.jpg`, and the value of `default`, for a missing cover. */
interface CoverRequest extends CoverName {
  fallback: string;
}

const SIZED = new RegExp(`^(.+)-(${COVER_SIZE_PATTERN})$`, "s");
const WRONG_SIZE = /-[A-Za-z]$/;

async function coverReply(context: RequestContext, params: CoverRequest): Promise<Reply> {
  const [, value = params.value, letter] = SIZED.exec(params.value) ?? [];
  // The pattern matches no other letters.
  const size = letter as CoverSize | undefined;
  const isNumbered = isNumberKey(params);
  // Other values may end like a size, as ISBNs do.
  if (isNumbered && size === undefined && WRONG_SIZE.test(value)) throw notFound();
  const id = await resolveCover(context, { ...params, value });
  if (id === undefined || context.settings.COVERS_BLOCKED.includes(String(id)))
    return missingReply(params, context);
  const etag = `${id}-${(size ?? "").toLowerCase()}`;
  const image = await readImage(context, { id, size, etag });
  if (image === undefined) {
    const suffix = size === undefined ? ".jpg" : `-${size}.jpg`;
    return fallbackRedirect(context, { ...params, id, suffix }) ?? missingReply(params, context);
  }
  return imageReply(image, { isNumbered, etag, now: context.now });
}

interface ImageObject {
  object: R2Object;
  /** Null if the client has it cached, or for HEAD. */
  body: ReadableStream | null;
  /** True if the original replaces a smaller size that has not been made yet. */
  isStandIn: boolean;
}

/** Reads an image: one read of R2; two if a smaller size is missing. */
async function readImage(
  { stores: { covers }, request }: RequestContext,
  { id, size, etag }: { id: number; size: CoverSize | undefined; etag: string },
): Promise<ImageObject | undefined> {
  const isHeadEnough = request.method === "HEAD" || isUnmodified(request, { etag, modified: Number.NaN });
  const read = async (name: string, isStandIn: boolean): Promise<ImageObject | undefined> => {
    if (isHeadEnough && !isStandIn) {
      const object = await covers.head(name);
      return object === null ? undefined : { object, body: null, isStandIn };
    }
    const object = await covers.get(name);
    return object === null ? undefined : { object, body: object.body, isStandIn };
  };
  const original = originalName(id);
  if (size === undefined) return read(original, false);
  return (await read(renditionName(id, size), false)) ?? read(original, true);
}

/** Builds the response. Q385: an original in place of a smaller size has a tag of its own, and a short lifetime. */
function imageReply(
  { object, body, isStandIn }: ImageObject,
  { isNumbered, etag, now }: { isNumbered: boolean; etag: string; now: number },
): Reply {
  const isForever = isNumbered && !isStandIn;
  const seconds = isForever ? IMAGE_SECONDS : COVER_SECONDS;
  return {
    status: 200,
    body,
    contentType: object.httpMetadata?.contentType ?? "application/octet-stream",
    etag: isStandIn ? object.etag : etag,
    // Q401: a record may get a cover that is older than its previous one.
    ...(isNumbered && { lastModified: formatDatetime(object.uploaded.getTime()) }),
    cacheControl: `public, max-age=${seconds}${isForever ? ", immutable" : ""}`,
    headers: {
      Expires: new Date(now + (isForever ? CENTURY_SECONDS : seconds) * 1000).toUTCString(),
    },
  };
}

function missingReply({ fallback }: CoverRequest, { request }: RequestContext): Reply {
  const cacheControl = `public, max-age=${COVER_SECONDS}`;
  // The body is empty because clients do not show it.
  if (fallback.toLowerCase() === "false") throw new Failure(404, "not_found", { body: null });
  const blank = { status: 200, body: new Response(BLANK).body, contentType: "image/gif", cacheControl };
  if (!/^https?:\/\/[^/]/i.test(fallback) || !URL.canParse(fallback)) return blank;
  // Q400: pages can show a picture of their own instead, but following a link does not lead to another site.
  const headers = { Vary: "Sec-Fetch-Dest" };
  if (request.headers.get("Sec-Fetch-Dest") === "document") return { ...blank, headers };
  return redirect(303, fallback, { cacheControl, headers });
}

const coverPath = {
  key: z
    .string()
    .describe("`id`, `olid`, `isbn`, `oclc`, `lccn`, `ia` or another type of identifier; case-insensitive"),
  value: z.string(),
};

export const coverImages = forCategories((category, _noun, record) =>
  operation({
    id: `coverImage${category.toUpperCase()}`,
    summary: `Get the image of ${record}`,
    tag: "covers",
    path: {
      ...coverPath,
      value: z.string().describe("Identifier; a suffix `-S`, `-M` or `-L` selects a size"),
    },
    query: {
      default: z
        .string()
        .default("true")
        .describe(
          "Fallback if the cover is missing: `true` for a transparent pixel, `false` for 404, or the URL of another image",
        ),
    },
    responses: {
      200: {
        description: "Image, or a transparent pixel",
        contentType: "image/jpeg",
        also: ["image/png", "image/gif", "image/webp"],
      },
      302: { description: "Redirect to the image at another service" },
      303: { description: "Redirect to the fallback image" },
      404: { description: "Unknown path, or missing cover with `default=false` (no body)", isBare: true },
    },
    handle: ({ path, query }, context) => coverReply(context, { category, ...path, fallback: query.default }),
  }),
);

const CATEGORY_IDS: Readonly<Record<CoverCategory, number>> = { b: 1, a: 2, w: 3 };

const coverMetadataSchema = z.object({
  id: z.int(),
  category_id: z.int(),
  olid: z.string().nullable(),
  filename: z.string(),
  ...bySize(() => z.string()),
  author: z.string().nullable(),
  ip: z.null(),
  source_url: z.string(),
  source: z.null(),
  isbn: z.null(),
  width: z.int(),
  height: z.int(),
  failed: z.null(),
  archived: z.boolean(),
  uploaded: z.null(),
  deleted: z.boolean(),
  created: z.string(),
  last_modified: z.string(),
});

/**
 * Returns the description of a cover by its number; redirects other keys to it. Throws an empty 404. Q403: without the
 * IP address of the uploader.
 */
async function metadataReply(context: RequestContext, name: CoverName, prefix: string): Promise<Reply> {
  const id = await resolveCover(context, name);
  if (id === undefined || context.settings.COVERS_BLOCKED.includes(String(id))) throw noCover();
  const { category } = name;
  if (!isNumberKey(name)) {
    return redirect(302, `${prefix}/${category}/id/${id}.json`, {
      cacheControl: `public, max-age=${COVER_SECONDS}`,
    });
  }
  const cover = await readCover(catalogReader(context), id);
  if (cover !== undefined) return json(descriptionOf(cover), { cacheControl: REVALIDATE });
  const reply = fallbackRedirect(context, { category, id, suffix: ".json" });
  if (reply === undefined) throw noCover();
  return reply;
}

function bySize<Value>(valueOf: (size: CoverSize) => Value) {
  const members = COVER_SIZES.map((size) => [`filename_${size.toLowerCase()}`, valueOf(size)]);
  // Every size has its member.
  return Object.fromEntries(members) as Record<`filename_${Lowercase<CoverSize>}`, Value>;
}

function noCover(): Failure {
  return new Failure(404, "not_found", { body: null });
}

function descriptionOf(cover: DescribedCover): z.output<typeof coverMetadataSchema> {
  const { id, renditions } = cover;
  return {
    id,
    category_id: CATEGORY_IDS[cover.category],
    olid: cover.olid,
    filename: originalName(id),
    // The original replaces smaller sizes that have not been made yet.
    ...bySize((size) => (renditions === "made" ? renditionName(id, size) : originalName(id))),
    author: cover.author,
    ip: null,
    source_url: cover.sourceUrl ?? "",
    source: null,
    isbn: null,
    width: cover.width,
    height: cover.height,
    failed: null,
    archived: false,
    uploaded: null,
    deleted: cover.deleted !== null,
    created: cover.created,
    last_modified: cover.updated,
  };
}

export const coverMetadataBy = forCategories((category, _noun, record) =>
  operation({
    id: `coverMetadata${category.toUpperCase()}`,
    summary: `Get the metadata of the image of ${record}`,
    tag: "covers",
    path: coverPath,
    responses: {
      200: { description: "Metadata of the image", schema: coverMetadataSchema },
      302: { description: "Redirect to the metadata by cover number, or to another service" },
      404: { description: "Cover not found", isBare: true },
    },
    handle: ({ path }, context) => {
      const prefix = context.url.pathname.startsWith("/covers/") ? "/covers" : "";
      return metadataReply(context, { category, ...path }, prefix);
    },
  }),
);
