import { createMiddleware } from "hono/factory";
import { methodNotAllowed } from "../errors.ts";
import type { Carried } from "../serve.ts";
import { staticLifetime } from "../site/static-lifetime.ts";

const FOLDERS = /^\/(?:static|docs\/assets)\/./;

/**
 * Files of `public/`. On Cloudflare they are answered before the worker is asked; the local runtime's
 * listener has nothing in front of it.
 */
export const staticFiles = createMiddleware<Carried>(async (c, next) => {
  const { url, request, stores, headers } = c.env.carrel;
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!FOLDERS.test(url.pathname)) return next();
  if (!isReading) throw methodNotAllowed(["GET", "HEAD", "OPTIONS"]);
  const file = await stores.assets.fetch(request);
  if (file.status === 404) return next();
  const answer = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  const lifetime = staticLifetime(url.pathname);
  if (lifetime !== undefined) answer.headers.set("Cache-Control", lifetime);
  return answer;
});
