import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { type CoverSize, COVER_SIZE_PATTERN } from "../../catalog/cover-sizes.ts";
import type { CoverCategory } from "../../db/covers/read-covers.ts";
import type { Stores } from "../http/bindings.ts";
import { type FailureKey, Failure, failure } from "../http/failure.ts";
import { type RequestContext, baseUrl, coversUrl } from "../http/operation.ts";
import { percentDecode } from "../http/paths.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import { resolveCover } from "../search/resolve-cover.ts";
import {
  type CheckedImage,
  NO_IMAGE_FILE,
  COVER_BYTES,
  checkImage,
  type ImageProblem,
} from "./check-image.ts";
import { originalName, renditionName } from "./store-cover.ts";
import { changeRoomForImage } from "./room.ts";
import { english, type Text, type TextValues } from "../../catalog/texts.ts";

/** Problem of an upload as the cover store reports it; without a detail if the file is not an image. */
export const storeProblem = z.object({
  code: z.literal([1, 2, 3]),
  message: z.string(),
  detail: z.string().optional().describe("Reason why the image is rejected"),
});
export interface StoreProblem {
  readonly code: 1 | 2 | 3;
  readonly text: Text;
  readonly detail?: ImageProblem;
}

export const NO_IMAGE: StoreProblem = { code: 1, text: { key: "bad_request.no_image" } };
const BAD_URL: StoreProblem = { code: 2, text: { key: "bad_request.image_url" } };
export const BAD_IMAGE: StoreProblem = { code: 3, text: { key: "bad_request.invalid_image" } };

/** Checks an image, and returns the problem if it is rejected. Q405: includes the reason if it is too large. */
export function checkSource(
  bytes: Uint8Array<ArrayBuffer>,
  { stores }: RequestContext,
): CheckedImage | StoreProblem {
  const image = checkImage(bytes, stores);
  if (!("key" in image)) return image;
  return image === NO_IMAGE_FILE ? BAD_IMAGE : { ...BAD_IMAGE, detail: image };
}

export function isProblem<Value extends object>(value: Value | StoreProblem): value is StoreProblem {
  return "code" in value && "text" in value;
}

export function coverStoreError(problem: StoreProblem): Failure {
  const { code, text, detail } = problem;
  const body = { code, message: english(text), ...(detail && { detail: english(detail) }) };
  return new Failure(400, "cover_store", { text: detail ?? text, body });
}

/** Makes a 400 with `error`, the member that programs read. */
export function imageError(key: FailureKey, values?: TextValues, code = "image"): Failure {
  return failure(key, values, { code, body: { error: english({ key, values }) } });
}

/** Time limit of fetching an image, with redirects, in milliseconds. */
export const COVER_FETCH_MS = 10_000;
const FETCH_OPTIONS = {
  timeoutMs: COVER_FETCH_MS,
  maxBytes: COVER_BYTES,
  headers: { Accept: "image/*" },
};

/** Status codes besides 5xx after which another attempt may succeed. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

export type FetchedImage =
  | { readonly ok: true; readonly image: CheckedImage }
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

/** Fetches an image from one of the hosts. Failures of the remote side do not throw. */
export async function fetchImage(
  address: string,
  { hosts, stores }: { hosts: readonly string[]; stores: Pick<Stores, "images"> },
): Promise<FetchedImage> {
  const url = parseAllowedUrl(address, hosts);
  if (url === undefined) return failed("images are not taken from there");
  try {
    const { status, bytes } = await getBytes(url, { hosts, ...FETCH_OPTIONS });
    const isTemporary = status >= 500 || TEMPORARY_STATUSES.has(status);
    if (status !== 200) return failed(`the server answered ${status}`, !isTemporary);
    const image = checkImage(bytes, stores);
    return "key" in image ? failed(english(image)) : { ok: true, image };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    // With a status, the server has responded, but its content was rejected.
    return failed(error.message, error.status !== 0);
  }
}

function failed(problem: string, isFinal = true): FetchedImage {
  return { ok: false, problem, isFinal };
}

const SOURCE_URL_LENGTH = 2000;

/** Q418: allowed paths of hosts that do not only have images. Other hosts have no limits. */
const ALLOWED_PATHS: Readonly<Record<string, RegExp>> = {
  "archive.org":
    /^\/(?:download\/.+\/page\/(?:cover|title)(?:_w\d+)?(?:_h\d+)?(?:\.jpg)?|services\/img\/.+\/full\/pct:\d+\/0\/default\.jpg)$/,
  "covers.openlibrary.org": /^\/b\/[^/]+\/[^/]+\.jpg$/,
};

/** Path of a cover of this service, with category, key, value and size. */
const OWN_PATH = new RegExp(`^/([abw])/([^/]+)/([^/]+?)(?:-(${COVER_SIZE_PATTERN}))?\\.jpg$`);

/** Takes an image from an address: a cover of this service, or an image of one of `COVER_HOSTS`. */
export async function sourceImage(
  context: RequestContext,
  address: string,
): Promise<CheckedImage | StoreProblem> {
  const { settings, stores } = context;
  const ownCover = matchOwnCover(address, [coversUrl(context), baseUrl(context)]);
  if (ownCover !== undefined) {
    const [, category, key = "", value = "", size] = ownCover;
    // The pattern matches no other letters of either kind.
    const name = { category: category as CoverCategory, key, value: percentDecode(value) };
    const id = await resolveCover(context, name);
    if (id === undefined || settings.COVERS_BLOCKED.includes(String(id))) return BAD_URL;
    await changeRoomForImage(context);
    const small = size === undefined ? null : await stores.covers.get(renditionName(id, size as CoverSize));
    const object = small ?? (await stores.covers.get(originalName(id)));
    return object === null ? BAD_URL : checkSource(new Uint8Array(await object.arrayBuffer()), context);
  }
  const { COVER_HOSTS: hosts } = settings;
  const url = sourceUrl(address, hosts);
  if (url === undefined) return BAD_URL;
  await changeRoomForImage(context);
  // Q491: the target of a redirect must be an allowed address, too.
  const mayFollow = (next: URL) => sourceUrl(next.href, hosts) !== undefined;
  try {
    const { status, bytes } = await getBytes(url, { hosts, mayFollow, ...FETCH_OPTIONS });
    return status === 200 ? checkSource(bytes, context) : BAD_URL;
  } catch (error) {
    if (error instanceof OutboundFailure) return BAD_URL;
    throw error;
  }
}

/** Returns the address of an image that may be fetched from one of these hosts; undefined for any other. */
function sourceUrl(address: string, hosts: readonly string[]): URL | undefined {
  if (address.length > SOURCE_URL_LENGTH) return undefined;
  const url = parseAllowedUrl(address, hosts);
  if (url === undefined) return undefined;
  const pattern = ALLOWED_PATHS[url.host];
  return pattern === undefined || pattern.test(url.pathname) ? url : undefined;
}

/** Matches the address of a cover of this service, with or without the older `/covers`; undefined for others. */
function matchOwnCover(address: string, bases: readonly string[]): RegExpExecArray | undefined {
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
