import { Buffer } from "node:buffer";
import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type CoverCategory, FIRST_OWN_COVER } from "../../db/covers/rows.ts";
import { isUnmodified } from "../http/conditional.ts";
import { CarrelError, notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { type CoverName, isNumberKey, resolveCover } from "../search/resolve-cover.ts";
import { forCategories } from "./categories.ts";
import { originalName, renditionName } from "./cover-object.ts";
import { COVER_SIZE_PATTERN, type CoverSize } from "../../catalog/cover-sizes.ts";

/** A cover that is not in the store, and the end of the address at which it is asked for: `-M.jpg`. */
interface MissingCover {
  readonly category: CoverCategory;
  readonly id: number;
  readonly suffix: string;
}

/** Seconds for which clients may keep where a cover is. */
const FALLBACK_SECONDS = 600;

/**
 * Where covers are shown that loaded records name and this service does not have (`COVER_FALLBACK_BASE`); undefined without
 * such a place, and for covers that only this service can have (Q404).
 */
export function fallbackRedirect(
  { settings: { COVER_FALLBACK_BASE: base }, url }: RequestContext,
  { category, id, suffix }: MissingCover,
): Reply | undefined {
  if (base === "" || id >= FIRST_OWN_COVER) return undefined;
  const address = `${base.replace(/\/$/, "")}/${category}/id/${id}${suffix}`;
  const fallback = url.searchParams.get("default");
  const query = fallback === null ? "" : `?${new URLSearchParams({ default: fallback })}`;
  return redirect(302, address + query, { cacheControl: `public, max-age=${FALLBACK_SECONDS}` });
}

/** One transparent pixel: what clients get where there is no cover (Q44). */
const BLANK = Buffer.from(
  "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b",
  "hex",
);
/** Seconds for which an image may be kept that never changes; everything that may become another one; and a century. */
const IMAGE_SECONDS = 31_536_000;
export const COVER_SECONDS = 600;
const CENTURY_SECONDS = 100 * IMAGE_SECONDS;

/** What was asked for: the last part of the address without `.jpg`, and what stands for a cover that there is not. */
interface CoverRequest extends CoverName {
  readonly fallback: string;
}

/** `7`, `7-M`: a value, and a letter for a size. */
const SIZED = new RegExp(`^(.+)-(${COVER_SIZE_PATTERN})$`, "s");
const WRONG_SIZE = /-[A-Za-z]$/;

async function coverReply(context: RequestContext, asked: CoverRequest): Promise<Reply> {
  const [, value = asked.value, letter] = SIZED.exec(asked.value) ?? [];
  // The pattern lets no other letters through.
  const size = letter as CoverSize | undefined;
  const isNumbered = isNumberKey(asked);
  // Other values may end like a size: ISBNs do.
  if (isNumbered && size === undefined && WRONG_SIZE.test(value)) throw notFound();
  const id = await resolveCover(context, { ...asked, value });
  if (id === undefined || context.settings.COVERS_BLOCKED.includes(String(id)))
    return missingReply(asked, context);
  const etag = `${id}-${(size ?? "").toLowerCase()}`;
  const image = await readImage(context, { id, size, etag });
  if (image === undefined) {
    const suffix = size === undefined ? ".jpg" : `-${size}.jpg`;
    return fallbackRedirect(context, { ...asked, id, suffix }) ?? missingReply(asked, context);
  }
  return imageReply(image, { isNumbered, etag, now: context.now });
}

interface FoundImage {
  readonly object: R2Object;
  /** Null for a client that has it already, or wants to know of it only. */
  readonly body: ReadableStream | null;
  /** It stands for a smaller one that is not made yet. */
  readonly isStandIn: boolean;
}

/** One read of R2; two when a smaller size is not there. */
async function readImage(
  { stores: { covers }, request }: RequestContext,
  { id, size, etag }: { readonly id: number; readonly size: CoverSize | undefined; readonly etag: string },
): Promise<FoundImage | undefined> {
  const isHeadEnough = request.method === "HEAD" || isUnmodified(request, { etag, modified: Number.NaN });
  const read = async (name: string, isStandIn: boolean): Promise<FoundImage | undefined> => {
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

/** Q385: an image in place of a smaller one has a tag of its own, and is kept for a short time only. */
function imageReply(
  { object, body, isStandIn }: FoundImage,
  { isNumbered, etag, now }: { readonly isNumbered: boolean; readonly etag: string; readonly now: number },
): Reply {
  const isForever = isNumbered && !isStandIn;
  const seconds = isForever ? IMAGE_SECONDS : COVER_SECONDS;
  return {
    status: 200,
    body,
    contentType: object.httpMetadata?.contentType ?? "application/octet-stream",
    etag: isStandIn ? object.etag : etag,
    // Q401: a record may get a cover that is older than the one before it.
    ...(isNumbered && { lastModified: datetimeText(object.uploaded.getTime()) }),
    cacheControl: `public, max-age=${seconds}${isForever ? ", immutable" : ""}`,
    headers: {
      Expires: new Date(now + (isForever ? CENTURY_SECONDS : seconds) * 1000).toUTCString(),
    },
  };
}

/** What stands for a cover that there is not: a pixel, nothing, or an image elsewhere. */
function missingReply({ fallback }: CoverRequest, { request }: RequestContext): Reply {
  const cacheControl = `public, max-age=${COVER_SECONDS}`;
  // Empty, as nobody looks at it.
  if (fallback.toLowerCase() === "false") throw new CarrelError(404, "not_found", { body: null });
  const blank = { status: 200, body: new Response(BLANK).body, contentType: "image/gif", cacheControl };
  if (!/^https?:\/\/[^/]/i.test(fallback) || !URL.canParse(fallback)) return blank;
  // Q400: clients have their own picture shown instead, but nobody who follows a link is led away.
  const headers = { Vary: "Sec-Fetch-Dest" };
  if (request.headers.get("Sec-Fetch-Dest") === "document") return { ...blank, headers };
  return redirect(303, fallback, { cacheControl, headers });
}

/** How covers are asked for, in the words of the interface description. */
export const coverPath = {
  key: z
    .string()
    .describe("`id`, `olid`, `isbn`, `oclc`, `lccn`, `ia`, or any identifier of editions, in any case"),
  value: z.string(),
};

/** `GET /b/id/<id>-M.jpg`: the image of a cover, by its number or by what it is the cover of. */
export const coverImages = forCategories((category, _noun, record) =>
  operation({
    id: `coverImage${category.toUpperCase()}`,
    summary: `The image of ${record}`,
    tag: "covers",
    path: {
      ...coverPath,
      value: z.string().describe("For one of three sizes with `-S`, `-M` or `-L` at its end"),
    },
    query: {
      default: z
        .string()
        .default("true")
        .describe(
          "Where there is no cover: `true` a transparent pixel, `false` 404, or the address of another image",
        ),
    },
    responses: {
      200: {
        description: "The image, or a transparent pixel",
        contentType: "image/jpeg",
        also: ["image/png", "image/gif", "image/webp"],
      },
      302: { description: "The image is at another service" },
      303: { description: "No cover: the image that the client wants instead" },
      404: { description: "No such address, or with default=false no cover, then without a body" },
    },
    handle: ({ path, query }, context) => coverReply(context, { category, ...path, fallback: query.default }),
  }),
);
