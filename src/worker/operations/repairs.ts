import { MIB, DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { RESTARTED } from "../../durable/protocol.ts";
import { resendOne } from "../patrons/activity/projection.ts";
import { notFound } from "../http/errors.ts";
import { writeCache } from "../http/kv-cache.ts";
import { logLine, loggable } from "../http/log.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json, plain } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { readJsonBody } from "../http/request-body.ts";
import { LANGUAGE_COUNTS } from "../http/derived-answers.ts";
import { deleteFromEdge } from "../http/answer-cache.ts";
import { failure } from "../http/failure.ts";

const REWIND_BODY_BYTES = 1024;
/** Days for which the platform stores earlier states of objects. */
export const REWIND_DAYS_MAX = 30;

const rewindCommand = z.strictObject({
  patron: z.string().min(1).max(100),
  time: z.iso.datetime().describe("UTC, for example 2026-11-20T10:00:00Z"),
});

/**
 * `POST /system/rewind`: restores a patron's own data as of a time, after the patron or one of their programs has
 * damaged it. Ends the patron's sessions; projections follow.
 */
export const rewind = operation({
  id: "rewind",
  summary: "Restore a patron's data to an earlier time",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: '`{"patron": "ann", "time": "2026-11-20T10:00:00Z"}`',
  },
  responses: {
    200: {
      description: "Data restored",
      schema: z.object({
        patron: z.string(),
        undo: z.string().describe("Bookmark of the state before the restore"),
      }),
    },
    404: { description: "Account not found" },
    503: { description: "Point-in-time recovery is not available, for example on a local service" },
  },
  async handle(_input, context) {
    const { request, stores, sources, now } = context;
    const sent = await readJsonBody(request, rewindCommand, {
      limit: REWIND_BODY_BYTES,
      example: '{"patron": "ann", "time": "2026-11-20T10:00:00Z"}',
    });
    const time = Date.parse(sent.time);
    const isStored = time < now && time > now - REWIND_DAYS_MAX * DAY_MS;
    if (!isStored) throw failure("bad_data.rewind_time", { days: REWIND_DAYS_MAX });
    const account = await findAccount(stores.patrons, { username: sent.patron });
    // Removed accounts are not restored: their removal was promised.
    if (account === undefined) throw notFound();
    const { username, usernameFolded: patron, status } = account;
    const object = patronOf(stores, username);
    let undo = "";
    try {
      undo = await object.rewind(time);
    } catch (error) {
      logLine("error", "rewind", { patron, error: String(loggable(error)) });
      throw failure("unavailable.rewind");
    }
    try {
      await object.restart();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes(RESTARTED)) throw error;
    }
    // A stub may be broken after its object has restarted.
    const restored = patronOf(stores, username);
    await restored.closeSessions("", sources.now());
    if (status === "blocked") await restored.bar(true);
    await resendOne(context, patron);
    logLine("warn", "rewind", { patron, time: new Date(time).toISOString(), undo });
    return json({ patron: username, undo }, { cacheControl: NO_STORE });
  },
});

/** Largest body, in bytes: documents are sent whole. */
export const INVALIDATE_BODY_BYTES = 4 * MIB;
export const INVALIDATE_RECORDS = 200;

const KEY_LENGTH = 501;
const document = z.looseObject({ key: z.string().min(1).max(KEY_LENGTH).startsWith("/") });
const invalidatedDocuments = z.union([
  document.transform((single) => [single]),
  z.array(document).max(INVALIDATE_RECORDS),
]);

/** Evicts cached answers in this isolate and this data centre. Elsewhere they expire within 30 s (Q460). */
export const invalidate = operation({
  id: "invalidate",
  summary: "Purge cached responses that show records",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: "Document, or list of documents; only `key` is read",
  },
  responses: { 200: { description: "`ok`", contentType: "text/plain" } },
  async handle(_input, context) {
    const { cache, request, stores, settings, sources, url } = context;
    const documents = await readJsonBody(request, invalidatedDocuments, {
      limit: INVALIDATE_BODY_BYTES,
      example: '[{"key": "/works/OL1W"}]',
    });
    const keys = documents.map(({ key }) => key);
    cache.forget(keys, sources.now());
    await writeCache(stores.cache, LANGUAGE_COUNTS, { entry: null, sources });
    if (settings.EDGE_CACHE) await deleteFromEdge(keys, url.origin);
    return plain("ok", { cacheControl: NO_STORE });
  },
});
