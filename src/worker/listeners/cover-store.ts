import { storesOf } from "../context.ts";
import { methodNotAllowed, notFound } from "../errors.ts";
import { answering, jsonResponse } from "./service.ts";

const IMAGE = /^\/[abw]\/id\/(\d{1,15})-([SML])\.jpg$/;
/** One transparent pixel: what clients get where there is no cover (lookup.md 19, 13; Q44). */
const BLANK = Uint8Array.fromHex(
  "47494638396101000100f00000000000ffffff21f90405000000002c00000000010001000002024401003b",
);
/** Seconds for which an image may be kept, and for which its absence may be. */
const IMAGE_SECONDS = 86_400;
const BLANK_SECONDS = 600;

/** The cover store's listener: images by cover id, out of R2. */
export function coverStore(request: Request, env: Env): Promise<Response> {
  return answering(request, async () => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const url = new URL(request.url);
    if (url.pathname === "/") return jsonResponse({ service: "cover store" });
    const [, id, size] = IMAGE.exec(url.pathname) ?? [];
    if (id === undefined || size === undefined) throw notFound();
    const { covers } = storesOf(env);
    const name = `${id}-${size}.jpg`;
    const image = request.method === "HEAD" ? await covers.head(name) : await covers.get(name);
    if (image !== null) {
      // Only what was got has a body.
      const { body = null } = image as Partial<R2ObjectBody>;
      return imageResponse(body, {
        "Content-Type": "image/jpeg",
        "Cache-Control": `public, max-age=${IMAGE_SECONDS}`,
        ETag: image.httpEtag,
      });
    }
    if (url.searchParams.get("default") === "false") throw notFound();
    return imageResponse(BLANK, {
      "Content-Type": "image/gif",
      "Cache-Control": `public, max-age=${BLANK_SECONDS}`,
    });
  });
}

function imageResponse(body: BodyInit | null, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { headers: { ...headers, "Access-Control-Allow-Origin": "*" } });
}
