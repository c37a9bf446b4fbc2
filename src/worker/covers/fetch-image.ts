import { allowedUrl } from "../../catalog/allowed-url.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";
import type { Stores } from "../http/bindings.ts";
import { type CheckedImage, COVER_BYTES, checkImage } from "./check-image.ts";

/** Time limit of fetching an image, redirects included, in milliseconds. */
export const COVER_FETCH_MS = 10_000;

/** Status codes after which another attempt may succeed, besides 500 and above. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Fetched image, or the reason of a final or temporary failure. */
export type FetchedImage =
  | { readonly ok: true; readonly image: CheckedImage }
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

/** Fetches an image from one of the hosts. Failures of the remote side do not throw. */
export async function fetchImage(
  address: string,
  { hosts, stores }: { readonly hosts: readonly string[]; readonly stores: Pick<Stores, "images"> },
): Promise<FetchedImage> {
  const url = allowedUrl(address, hosts);
  if (url === undefined) return failed("images are not taken from there");
  try {
    const { status, bytes } = await getBytes(url, {
      hosts,
      timeoutMs: COVER_FETCH_MS,
      maxBytes: COVER_BYTES,
      headers: { Accept: "image/*" },
    });
    const isTemporary = status >= 500 || TEMPORARY.has(status);
    if (status !== 200) return failed(`the server answered ${status}`, !isTemporary);
    const image = checkImage(bytes, stores);
    return typeof image === "string" ? failed(image) : { ok: true, image };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    // With a status, the server has responded, but with content that is rejected.
    return failed(error.message, error.status !== 0);
  }
}

function failed(problem: string, isFinal = true): FetchedImage {
  return { ok: false, problem, isFinal };
}
