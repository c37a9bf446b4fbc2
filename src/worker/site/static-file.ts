import type { RequestContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { staticLifetime } from "./static-lifetime.ts";

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
