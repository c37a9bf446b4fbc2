import { Buffer } from "node:buffer";
import { datetimeText } from "../../catalog/datetime.ts";
import { isUnmodified } from "../answers/conditional.ts";
import { CarrelError, notFound } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { originalName } from "./cover-object.ts";

/** `7.jpg`, `7-M.jpg`: what should be a number, and a letter for a size. */
const IMAGE = /^(.+?)(?:-([A-Za-z]))?\.jpg$/;
const SIZES: ReadonlySet<string | undefined> = new Set(["S", "M", "L", undefined]);
const NUMBER = /^0*([1-9]\d{0,14})$/;
/** One transparent pixel: what clients get where there is no cover (lookup.md 19, 13; Q44). */
const BLANK = Buffer.from(
  "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b",
  "hex",
);
/** Seconds for which an image may be kept that never changes, one in place of a smaller one, and its absence. */
const ORIGINAL_SECONDS = 31_536_000;
const IMAGE_SECONDS = 86_400;
const BLANK_SECONDS = 600;

/** What was asked for: the last part of the address, and whether a pixel may stand for what there is not. */
interface Asked {
  readonly name: string;
  readonly allowsBlank: boolean;
}

/**
 * The image of a cover (lookup.md 6.1, 6.2), as it came; throws a 404. Q385: the sizes S, M and L are the same image as long as
 * no smaller ones are made, and are kept for a day only.
 */
export async function coverReply(covers: R2Bucket, request: Request, asked: Asked): Promise<Reply> {
  const [, text, size] = IMAGE.exec(asked.name) ?? [];
  if (text === undefined || !SIZES.has(size)) throw notFound();
  // Records have -1 among their covers, and pages ask for None: no number is no cover, and no wrong address.
  const [, id] = NUMBER.exec(text) ?? [];
  if (id === undefined) return missingReply(asked);
  const name = originalName(Number(id));
  const found = request.method === "HEAD" ? await covers.head(name) : await covers.get(name);
  if (found === null) return missingReply(asked);
  // Only what was got has a body.
  const { body = null } = found as Partial<R2ObjectBody>;
  const etag = size === undefined ? `${id}-` : found.etag;
  const isKnown = isUnmodified(request, { etag, modified: found.uploaded.getTime() });
  if (isKnown) await body?.cancel();
  return {
    status: 200,
    body: isKnown ? null : body,
    contentType: found.httpMetadata?.contentType ?? "application/octet-stream",
    etag,
    lastModified: datetimeText(found.uploaded.getTime()),
    cacheControl:
      size === undefined
        ? `public, max-age=${ORIGINAL_SECONDS}, immutable`
        : `public, max-age=${IMAGE_SECONDS}`,
  };
}

function missingReply({ allowsBlank }: Asked): Reply {
  // Empty, as nobody looks at it.
  if (!allowsBlank) throw new CarrelError(404, "not_found", { body: null });
  return {
    status: 200,
    body: new Response(BLANK).body,
    contentType: "image/gif",
    cacheControl: `public, max-age=${BLANK_SECONDS}`,
  };
}
