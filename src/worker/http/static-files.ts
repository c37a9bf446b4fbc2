import { createMiddleware } from "hono/factory";
import { methodNotAllowed, notFound } from "./errors.ts";
import { type RequestContext, type HonoEnv, isRead } from "./operation.ts";
import type { Reply } from "./reply.ts";
import { Buffer } from "node:buffer";
import type { Stores } from "./bindings.ts";

/** Lifetime of a file of `/static/` in clients, in seconds. */
const STATIC_SECONDS = 3600;
const BUILD_SECONDS = 31_536_000;

/** Returns the `Cache-Control` of a static file; `public/_headers` repeats it for files that bypass the worker. */
export function staticLifetime(pathname: string): string | undefined {
  if (pathname.startsWith("/static/build/")) return `public, max-age=${BUILD_SECONDS}, immutable`;
  if (pathname.startsWith("/static/")) return `public, max-age=${STATIC_SECONDS}`;
  return undefined;
}

const FOLDERS = /^\/static\/./;
/** File of `/static/` with a hash of its content in its name: `/static/build/carrel.0a1b2c3d4e.css`. */
const FINGERPRINTED = /^\/static\/build\/(\w+)\.[\da-f]{10}\.(css|js)$/;
const CHANGED_SECONDS = 60;

/** Serves files of `public/` in the local runtime. On Cloudflare they are answered before the worker runs. */
export const staticFiles = createMiddleware<HonoEnv>(async (c, next) => {
  const { url, request, stores, headers } = c.env.carrel;
  if (!FOLDERS.test(url.pathname)) return next();
  if (!isRead(request.method)) throw methodNotAllowed(["GET", "HEAD", "OPTIONS"]);
  const path = url.pathname.replace(FINGERPRINTED, "/static/$1.$2");
  const file = await stores.assets.fetch(
    path === url.pathname ? request : new Request(new URL(path, url), request),
  );
  if (file.status === 404) return next();
  const response = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  const isOutdated = path !== url.pathname && (await fingerprintedPath(path, stores)) !== url.pathname;
  const lifetime = isOutdated ? `public, max-age=${CHANGED_SECONDS}` : staticLifetime(url.pathname);
  if (lifetime !== undefined) response.headers.set("Cache-Control", lifetime);
  return response;
});

const CONDITIONS = ["If-None-Match", "If-Modified-Since"];

/** Serves a file of `public/` at another address than its own. Throws a 404 if there is none. */
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

const fingerprinted = new Map<string, string>();

/** Returns the address of a file of `/static/` that changes with its content, so that it can be cached permanently. */
export async function fingerprintedPath(path: string, { assets }: Pick<Stores, "assets">): Promise<string> {
  const known = fingerprinted.get(path);
  if (known !== undefined) return known;
  const file = await assets.fetch(`http://assets${path}`);
  if (!file.ok) throw new Error(`there is no ${path}`);
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  const fingerprint = Buffer.from(digest).toString("hex").slice(0, 10);
  const address = path.replace(/^\/static\/(\w+)\./, `/static/build/$1.${fingerprint}.`);
  fingerprinted.set(path, address);
  return address;
}
