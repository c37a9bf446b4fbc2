import { respond } from "../answers/respond.ts";
import { storesOf } from "../context.ts";
import { coverReply } from "../covers/cover-reply.ts";
import { methodNotAllowed, notFound } from "../errors.ts";
import { answering, jsonResponse } from "./service.ts";

/** Q386: one sequence of numbers serves editions, authors and works. */
const BY_ID = /^\/[abw]\/id\/([^/]+)$/;

/** The cover store's listener: images by cover id, out of R2. */
export function coverStore(request: Request, env: Env): Promise<Response> {
  return answering(request, async () => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const url = new URL(request.url);
    if (url.pathname === "/") return jsonResponse({ service: "cover store" });
    const name = BY_ID.exec(url.pathname)?.[1];
    if (name === undefined) throw notFound();
    const allowsBlank = url.searchParams.get("default")?.toLowerCase() !== "false";
    const headers = { "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff" };
    const reply = await coverReply(storesOf(env).covers, request, { name, allowsBlank });
    return respond(reply, { request, headers, cookies: [] });
  });
}
