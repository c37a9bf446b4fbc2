import { createMiddleware } from "hono/factory";
import { methodNotAllowed, notFound } from "./errors.ts";
import type { RequestContext } from "./operation.ts";
import type { Reply } from "./reply.ts";
import type { Carried } from "./serve.ts";

/** How long clients may keep a file of `/static/`, in seconds. */
const STATIC_SECONDS = 3600;
/** The same of those whose name changes with what is in them, below `/static/build/`. */
const BUILD_SECONDS = 31_536_000;

/** `Cache-Control` of a static file; `public/_headers` says the same where the worker is not asked. */
export function staticLifetime(pathname: string): string | undefined {
  if (pathname.startsWith("/static/build/")) return `public, max-age=${BUILD_SECONDS}, immutable`;
  if (pathname.startsWith("/static/")) return `public, max-age=${STATIC_SECONDS}`;
  return undefined;
}

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

/** What a client says of the file that it has. */
const CONDITIONS = ["If-None-Match", "If-Modified-Since"];

/** A file of `public/` at another address than its own. Throws a 404 when there is none. */
export async function staticFile({ stores, request, url }: RequestContext, path: string): Promise<Reply> {
  const headers = new Headers();
  for (const name of CONDITIONS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const file = await stores.assets.fetch(new Request(new URL(path, url.origin), { headers }));
  if (file.status !== 200 && file.status !== 304) {
    await file.body?.cancel();
    throw notFound();
  }
  const contentType = file.headers.get("Content-Type");
  const etag = file.headers.get("ETag");
  const cacheControl = staticLifetime(path);
  return {
    status: file.status,
    body: file.status === 304 ? null : file.body,
    ...(contentType === null ? {} : { contentType }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
    headers: { "X-Content-Type-Options": "nosniff", ...(etag === null ? {} : { ETag: etag }) },
  };
}
