import * as z from "zod";
import { type DescribedCover, readCover } from "../../db/covers/read-covers.ts";
import type { CoverCategory } from "../../db/covers/cover-rows.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json, redirect } from "../http/reply.ts";
import { type CoverName, isNumberKey, resolveCover } from "../search/resolve-cover.ts";
import { forCategories } from "./categories.ts";
import { originalName, renditionName } from "./store-cover.ts";
import { COVER_SECONDS, coverPath, fallbackRedirect } from "./image.ts";
import { type CoverSize, COVER_SIZES } from "../../catalog/cover-sizes.ts";

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

function noCover(): CarrelError {
  return new CarrelError(404, "not_found", { body: null });
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
    summary: `What is known of the image of ${record}`,
    tag: "covers",
    path: coverPath,
    responses: {
      200: { description: "By its number: the description", schema: coverMetadataSchema },
      302: { description: "By another key: the description by its number; or it is at another service" },
      404: { description: "No such cover", isBare: true },
    },
    handle: ({ path }, context) => {
      const prefix = context.url.pathname.startsWith("/covers/") ? "/covers" : "";
      return metadataReply(context, { category, ...path }, prefix);
    },
  }),
);
