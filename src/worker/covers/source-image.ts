import { allowedUrl } from "../../catalog/allowed-url.ts";
import type { CoverCategory } from "../../db/covers/cover-rows.ts";
import { type RequestContext, baseUrl, coversUrl } from "../http/operation.ts";
import { decoded } from "../http/paths.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import { resolveCover } from "../search/resolve-cover.ts";
import { type CheckedImage, COVER_BYTES, checkImage } from "./check-image.ts";
import { originalName, renditionName } from "./cover-object.ts";
import { COVER_FETCH_MS } from "./fetch-image.ts";
import { COVER_SIZE_PATTERN, type CoverSize } from "../../catalog/cover-sizes.ts";
import { changeRoomForImage } from "./room.ts";
import { type StoreProblem, BAD_URL, badImage } from "./store-error.ts";

/** Maximum length of the address of an image, in characters. */
const SOURCE_URL_LENGTH = 2000;

/** Q418: allowed paths of hosts that have more than images. The other hosts of the list have no limits. */
const PATHS: Readonly<Record<string, RegExp>> = {
  "archive.org":
    /^\/(?:download\/.+\/page\/(?:cover|title)(?:_w\d+)?(?:_h\d+)?(?:\.jpg)?|services\/img\/.+\/full\/pct:\d+\/0\/default\.jpg)$/,
  "covers.openlibrary.org": /^\/b\/[^/]+\/[^/]+\.jpg$/,
};

/** Path of a cover of this service: category, key, value, size. */
const OWN_PATH = new RegExp(`^/([abw])/([^/]+)/([^/]+?)(?:-(${COVER_SIZE_PATTERN}))?\\.jpg$`);

/** Returns the image at an address, or the problem with it. */
export async function sourceImage(
  context: RequestContext,
  address: string,
): Promise<CheckedImage | StoreProblem> {
  const own = ownCover(address, [coversUrl(context), baseUrl(context)]);
  const bytes = own === undefined ? await fetched(context, address) : await ownBytes(context, own);
  if (bytes === undefined) return BAD_URL;
  const image = checkImage(bytes, context.stores);
  return typeof image === "string" ? badImage(image) : image;
}

async function fetched(
  context: RequestContext,
  address: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const hosts = context.settings.COVER_HOSTS;
  const url = sourceUrl(address, hosts);
  if (url === undefined) return undefined;
  await changeRoomForImage(context);
  try {
    const { status, bytes } = await getBytes(url, {
      hosts,
      // Q491: the target of a redirect must be an allowed address, too.
      mayFollow: (next) => sourceUrl(next.href, hosts) !== undefined,
      timeoutMs: COVER_FETCH_MS,
      maxBytes: COVER_BYTES,
      headers: { Accept: "image/*" },
    });
    return status === 200 ? bytes : undefined;
  } catch (error) {
    if (error instanceof OutboundFailure) return undefined;
    throw error;
  }
}

/** Returns the address of an image that may be fetched from one of these hosts; undefined for any other. */
function sourceUrl(address: string, hosts: readonly string[]): URL | undefined {
  if (address.length > SOURCE_URL_LENGTH) return undefined;
  const url = allowedUrl(address, hosts);
  if (url === undefined) return undefined;
  const path = PATHS[url.host];
  return path === undefined || path.test(url.pathname) ? url : undefined;
}

/** Matches the address of one of this service's covers, with or without the older `/covers`; undefined for others. */
function ownCover(address: string, bases: readonly string[]): RegExpExecArray | undefined {
  const url = address.length > SOURCE_URL_LENGTH ? null : URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  for (const base of bases) {
    const { origin, pathname } = new URL(base);
    if (origin !== url.origin || !url.pathname.startsWith(pathname)) continue;
    const path = url.pathname.slice(pathname.replace(/\/$/, "").length).replace(/^\/covers(?=\/)/, "");
    const match = OWN_PATH.exec(path);
    if (match !== null) return match;
  }
  return undefined;
}

/** Reads the bytes of one of this service's own covers; undefined if there is none. */
async function ownBytes(
  context: RequestContext,
  [, category, key = "", value = "", size]: RegExpExecArray,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // The pattern matches no other letters of either kind.
  const name = { category: category as CoverCategory, key, value: decoded(value) };
  const id = await resolveCover(context, name);
  const { stores, settings } = context;
  if (id === undefined || settings.COVERS_BLOCKED.includes(String(id))) return undefined;
  await changeRoomForImage(context);
  const small = size === undefined ? null : await stores.covers.get(renditionName(id, size as CoverSize));
  const object = small ?? (await stores.covers.get(originalName(id)));
  return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
}
