import * as z from "zod";
import { LANGUAGE_COUNTS } from "../http/derived-answers.ts";
import { forgetAtEdge } from "../http/edge-cache.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, plain } from "../http/reply.ts";
import { jsonBody } from "./json-body.ts";

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
    const { cache, request, stores, settings, sources, url } = context;
    const documents = await jsonBody(request, body, {
      limit: INVALIDATE_BODY_BYTES,
      expected: "a document with a key, or a list of such",
    });
    const keys = documents.map(({ key }) => key);
    cache.forget(keys, sources.now());
    await stores.cache.delete(LANGUAGE_COUNTS);
    if (settings.EDGE_CACHE) await forgetAtEdge(keys, url.origin);
    return plain("ok", { cacheControl: NO_STORE });
  },
});
