import * as z from "zod";
import { Buffer } from "node:buffer";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type CoverCategory, FIRST_OWN_COVER, readCover } from "../../db/covers/read-covers.ts";
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

const SIZED = new RegExp(`^(.+)-(${COVER_SIZE_PATTERN})$`, "s");
const WRONG_SIZE = /-[A-Za-z]$/;

/** Answers an image. `name.value` is that of the address without `.jpg`, `fallback` that of `default`. */
async function coverReply(context: RequestContext, name: CoverName, fallback: string): Promise<Reply> {
  const { settings, request, now } = context;
  const { covers } = context.stores;
  const [, value = name.value, letter] = SIZED.exec(name.value) ?? [];
  // The pattern matches no other letters.
  const size = letter as CoverSize | undefined;
  const isNumbered = isNumberKey(name);
  // Other values may end like a size, as ISBNs do.
  if (isNumbered && size === undefined && WRONG_SIZE.test(value)) throw notFound();
  const id = await resolveCover(context, { ...name, value });
  if (id === undefined || settings.COVERS_BLOCKED.includes(String(id))) {
    return missingReply(context, fallback);
  }
  const etag = `${id}-${(size ?? "").toLowerCase()}`;
  const isHeadEnough = request.method === "HEAD" || isUnmodified(request, { etag, modified: Number.NaN });
  const file = size === undefined ? originalName(id) : renditionName(id, size);
  let object = isHeadEnough ? await covers.head(file) : await covers.get(file);
  // The original replaces a smaller size that has not been made yet.
  const isStandIn = object === null && size !== undefined;
  if (isStandIn) object = await covers.get(originalName(id));
  if (object === null) {
    const suffix = size === undefined ? ".jpg" : `-${size}.jpg`;
    return (
      fallbackRedirect(context, { category: name.category, id, suffix }) ?? missingReply(context, fallback)
    );
  }
  // Q385: an original in place of a smaller size has a tag of its own, and a short lifetime.
  const isForever = isNumbered && !isStandIn;
  const seconds = isForever ? IMAGE_SECONDS : COVER_SECONDS;
  return {
    status: 200,
    body: "body" in object ? (object as R2ObjectBody).body : null,
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

function missingReply({ request }: RequestContext, fallback: string): Reply {
  const cacheControl = `public, max-age=${COVER_SECONDS}`;
  // The body is empty because clients do not show it.
  if (fallback.toLowerCase() === "false") throw noCover();
  const blank = { status: 200, body: new Response(BLANK).body, contentType: "image/gif", cacheControl };
  if (!/^https?:\/\/[^/]/i.test(fallback) || !URL.canParse(fallback)) return blank;
  // Q400: pages can show a picture of their own instead, but following a link does not lead to another site.
  const headers = { Vary: "Sec-Fetch-Dest" };
  if (request.headers.get("Sec-Fetch-Dest") === "document") return { ...blank, headers };
  return redirect(303, fallback, { cacheControl, headers });
}

function noCover(): Failure {
  return new Failure(404, "not_found", { body: null });
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
    handle: ({ path, query }, context) => coverReply(context, { category, ...path }, query.default),
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

function bySize<Value>(valueOf: (size: CoverSize) => Value) {
  const members = COVER_SIZES.map((size) => [`filename_${size.toLowerCase()}`, valueOf(size)]);
  // Every size has its member.
  return Object.fromEntries(members) as Record<`filename_${Lowercase<CoverSize>}`, Value>;
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
    async handle({ path }, context) {
      const { settings, url } = context;
      const name = { category, ...path };
      const id = await resolveCover(context, name);
      if (id === undefined || settings.COVERS_BLOCKED.includes(String(id))) throw noCover();
      if (!isNumberKey(name)) {
        const prefix = url.pathname.startsWith("/covers/") ? "/covers" : "";
        const cacheControl = `public, max-age=${COVER_SECONDS}`;
        return redirect(302, `${prefix}/${category}/id/${id}.json`, { cacheControl });
      }
      const cover = await readCover(catalogReader(context), id);
      if (cover === undefined) {
        const reply = fallbackRedirect(context, { category, id, suffix: ".json" });
        if (reply === undefined) throw noCover();
        return reply;
      }
      // Q403: without the IP address of the uploader.
      const metadata: z.output<typeof coverMetadataSchema> = {
        id,
        category_id: CATEGORY_IDS[cover.category],
        olid: cover.olid,
        filename: originalName(id),
        // The original replaces smaller sizes that have not been made yet.
        ...bySize((size) => (cover.renditions === "made" ? renditionName(id, size) : originalName(id))),
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
      return json(metadata, { cacheControl: REVALIDATE });
    },
  }),
);
