import { storesOf } from "../context.ts";
import { methodNotAllowed, notFound } from "../errors.ts";
import { answering, jsonResponse } from "./service.ts";

const IMAGE = /^\/[abw]\/id\/(\d{1,15})-([SML])\.jpg$/;
/** One transparent pixel: what clients get where there is no cover (lookup.md 19, 13; Q44). */
const BLANK = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==");
const DAY = "public, max-age=86400";

/** The cover store's listener: images by cover id, out of R2. */
export function coverStore(request: Request, env: Env): Promise<Response> {
  return answering(request, async () => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const url = new URL(request.url);
    if (url.pathname === "/") return jsonResponse({ service: "cover store" });
    const [, id, size] = IMAGE.exec(url.pathname) ?? [];
    if (id === undefined || size === undefined) throw notFound();
    const image = await storesOf(env).covers.get(`${id}-${size}.jpg`);
    if (image !== null) return imageResponse(image.body, { type: "image/jpeg", etag: image.httpEtag });
    if (url.searchParams.get("default") === "false") throw notFound();
    return imageResponse(BLANK, { type: "image/gif" });
  });
}

function imageResponse(body: BodyInit, { type, etag }: { type: string; etag?: string }): Response {
  const headers = { "Content-Type": type, "Cache-Control": DAY, "Access-Control-Allow-Origin": "*" };
  return new Response(body, { headers: etag === undefined ? headers : { ...headers, ETag: etag } });
}
