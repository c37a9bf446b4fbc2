import { type RequestContext, baseUrl, coversUrl } from "../../context.ts";
import { OutboundFailure, getBytes } from "../../outbound/get-bytes.ts";
import { COVER_BYTES, type CheckedImage, checkImage } from "../check-image.ts";
import { COVER_FETCH_MS } from "../fetch-image.ts";
import { changeRoomForImage } from "../room.ts";
import { ownBytes } from "./own-image.ts";
import { BAD_URL, type StoreProblem, badImage } from "./store-error.ts";
import { ownCoverPath, sourceUrl } from "./source-url.ts";

/** An image that somebody named by its address, or what is wrong with it. */
export async function sourceImage(
  context: RequestContext,
  address: string,
): Promise<CheckedImage | StoreProblem> {
  const own = ownCoverPath(address, [coversUrl(context), baseUrl(context)]);
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
      // Q491: the next address has to be one that could have been named.
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
