import * as z from "zod";
import { Buffer } from "node:buffer";
import { datetimeText } from "../../catalog/datetime.ts";
import { type CoverCategory, FIRST_OWN_COVER } from "../../db/covers/cover-rows.ts";
import { isUnmodified } from "../http/answer.ts";
import { CarrelError, notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { type CoverName, isNumberKey, resolveCover } from "../search/resolve-cover.ts";
import { forCategories } from "./categories.ts";
import { originalName, renditionName } from "./store-cover.ts";
import { type CoverSize, COVER_SIZE_PATTERN } from "../../catalog/cover-sizes.ts";

const FALLBACK_SECONDS = 600;

/**
 * Redirects a cover that is not in the store to the service that has the covers of loaded records
 * (`COVER_FALLBACK_BASE`); undefined without such a service, and for covers that only this service can have (Q404).
 * `suffix` is the end of the requested address, such as `-M.jpg`.
 */
export function fallbackRedirect(
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
export const COVER_SECONDS = 600;
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
    ...(isNumbered && { lastModified: datetimeText(object.uploaded.getTime()) }),
    cacheControl: `public, max-age=${seconds}${isForever ? ", immutable" : ""}`,
    headers: {
      Expires: new Date(now + (isForever ? CENTURY_SECONDS : seconds) * 1000).toUTCString(),
    },
  };
}

function missingReply({ fallback }: CoverRequest, { request }: RequestContext): Reply {
  const cacheControl = `public, max-age=${COVER_SECONDS}`;
  // The body is empty because clients do not show it.
  if (fallback.toLowerCase() === "false") throw new CarrelError(404, "not_found", { body: null });
  const blank = { status: 200, body: new Response(BLANK).body, contentType: "image/gif", cacheControl };
  if (!/^https?:\/\/[^/]/i.test(fallback) || !URL.canParse(fallback)) return blank;
  // Q400: pages can show a picture of their own instead, but following a link does not lead to another site.
  const headers = { Vary: "Sec-Fetch-Dest" };
  if (request.headers.get("Sec-Fetch-Dest") === "document") return { ...blank, headers };
  return redirect(303, fallback, { cacheControl, headers });
}

export const coverPath = {
  key: z
    .string()
    .describe("`id`, `olid`, `isbn`, `oclc`, `lccn`, `ia`, or any identifier of editions, in any case"),
  value: z.string(),
};

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
