import { createMiddleware } from "hono/factory";
import type { Variables } from "../serve.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const METHODS = "GET, HEAD, OPTIONS";

/**
 * Lets scripts of every origin read what is public, without cookies (records.md 13.3). A preflight for any
 * other method is refused; OPTIONS of any path is answered here.
 */
export const cors = createMiddleware<Variables>((c, next) => {
  const { headers, request } = c.get("carrel");
  headers["Access-Control-Allow-Origin"] = "*";
  if (request.method !== "OPTIONS") return next();
  // Q42: OPTIONS is answered for every path.
  const wanted = request.headers.get("Access-Control-Request-Method");
  if (wanted !== null && !READING.has(wanted)) {
    return Promise.resolve(new Response("Disallowed CORS method", { status: 400, headers }));
  }
  const allowed = request.headers.get("Access-Control-Request-Headers");
  const answer = new Response(null, {
    status: 200,
    headers: {
      ...headers,
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Max-Age": "86400",
      ...(allowed === null ? {} : { "Access-Control-Allow-Headers": allowed }),
    },
  });
  return Promise.resolve(answer);
});
