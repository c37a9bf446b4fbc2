import { createMiddleware } from "hono/factory";
import type { Carried } from "./serve.ts";

/** Methods that change nothing. */
export const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const METHODS = "GET, HEAD, OPTIONS";

/** Answers OPTIONS of any path: scripts of other origins may read. A preflight for any other method is refused. */
export const preflight = createMiddleware<Carried>((c, next) => {
  const { headers, request } = c.env.carrel;
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
