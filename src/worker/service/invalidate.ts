import * as z from "zod";
import { bodyText } from "../http/bytes.ts";
import { LANGUAGE_COUNTS } from "../http/derived-answers.ts";
import { forgetAtEdge } from "../http/edge-cache.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, plain } from "../http/reply.ts";
import { queryJson } from "../http/request-body.ts";

/** Largest body, in bytes: documents are sent whole. */
export const INVALIDATE_BODY_BYTES = 4 * 1024 * 1024;
/** Documents in a body. */
export const INVALIDATE_RECORDS = 200;

const KEY_LENGTH = 501;
const document = z.looseObject({ key: z.string().min(1).max(KEY_LENGTH).startsWith("/") });
const body = z.union([document.transform((one) => [one]), z.array(document).max(INVALIDATE_RECORDS)]);

/**
 * `POST /system/invalidate`: forgets answers that show these records, in this isolate and this data centre. Others forget
 * them by themselves, half a minute later at most (Q460).
 */
export const invalidate = operation({
  id: "invalidate",
  summary: "Forget kept answers that show records",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: "A document, or a list of documents; of each only `key` is looked at",
  },
  responses: { 200: { description: "`ok`", contentType: "text/plain" } },
  async handle(_input, context) {
    const keys = await keysOf(context);
    const { cache, stores, settings, sources, url } = context;
    cache.forget(keys, sources.now());
    await stores.cache.delete(LANGUAGE_COUNTS);
    if (settings.EDGE_CACHE) await forgetAtEdge(keys, url.origin);
    return plain("ok", { cacheControl: NO_STORE });
  },
});

async function keysOf({ request }: RequestContext): Promise<string[]> {
  const parsed = body.safeParse(queryJson(await bodyText(request, INVALIDATE_BODY_BYTES)));
  if (!parsed.success) throw badData("Bad body: expected a document with a key, or a list of such");
  return parsed.data.map(({ key }) => key);
}
