import * as z from "zod";
import { type CatalogRecord, isObject } from "../../catalog/record.ts";
import { type AppliedChange, FeedError, applyFeed } from "../../db/editing/apply-feed.ts";
import { wakeListeners } from "../history/change-feed.ts";
import { bodyText } from "../http/bytes.ts";
import { badData, refusal } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { announceChange } from "../http/queue.ts";
import { json } from "../http/reply.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";
import { queryJson } from "../http/request-body.ts";
import { unlessBusy } from "./load.ts";

/** Largest part of a feed that is taken at once, in bytes: a change is always whole, however large it is. */
const APPLY_BODY_BYTES = 36 * 1024 * 1024;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/;

const fedChange = z.object({
  id: z.int().min(1),
  kind: z.string().max(256),
  timestamp: z.string().regex(TIME),
  comment: z.string().nullable(),
  author: z.object({ key: z.string() }).nullable(),
  bot: z.boolean(),
  // Not copied: the order of members, and each of them, are to stay as they are.
  data: z.custom<CatalogRecord>(isObject),
  loaded: z.boolean(),
  changes: z.array(z.object({ key: z.string(), revision: z.int() })),
  documents: z.array(z.custom<CatalogRecord>(isObject)),
});
const feed = z.object({ since: z.int().min(0), changes: z.array(fedChange) });

/** `POST /system/changes`: stores a part of another service's feed, which makes this one its mirror. Idempotent. */
export const applyChanges = operation({
  id: "applyChanges",
  summary: "Store a part of another service's feed of changes",
  tag: "operation",
  query: {
    index: z
      .enum(["now", "later"])
      .default("now")
      .describe(
        "`later`: the search index follows when POST /system/index is called, or with the next sweep",
      ),
  },
  body: { contentType: "application/json", description: "An answer of /changes.json, as it was received" },
  responses: {
    200: {
      description: "What became of the changes",
      schema: z.object({
        stored: z.int(),
        known: z.int().describe("Changes that were stored already"),
        end: z.int().describe("Number of the last change here: where to go on"),
      }),
    },
    409: { description: "The log here is not the beginning of the other one" },
  },
  async handle({ query }, context) {
    const text = await bodyText(context.request, APPLY_BODY_BYTES);
    const { since, changes } = checked(queryJson(text, APPLY_BODY_BYTES));
    const { settings, stores, sources, cache } = context;
    const session = stores.catalog.withSession("first-primary");
    const options = { prefix: settings.RECORD_PREFIX, since };
    const { keys, ...done } = await applyFeed(session, changes.map(applied), options).catch(refused);
    if (done.stored > 0) {
      cache.forget(keys, sources.now());
      if (query.index === "now") context.waitUntil(announceChange(stores.indexQueue, done.end));
      context.waitUntil(wakeListeners(stores.changeFeed, done.end));
    }
    return json(done, { headers: { [BOOKMARK_HEADER]: session.getBookmark() ?? "" } });
  },
});

function checked(value: unknown): z.infer<typeof feed> {
  const parsed = feed.safeParse(value);
  if (!parsed.success) throw badData(`Not an answer of a feed: ${z.prettifyError(parsed.error)}`);
  const { since, changes } = parsed.data;
  let before = since;
  for (const { id } of changes) {
    if (id <= before) throw badData("Not an answer of a feed: the changes are not in their order");
    before = id;
  }
  return parsed.data;
}

function applied(change: z.infer<typeof fedChange>): AppliedChange {
  const { timestamp, author, data, loaded, changes, ...rest } = change;
  return {
    ...rest,
    created: timestamp,
    author: author === null ? null : author.key,
    data: JSON.stringify(data),
    changes: loaded ? null : JSON.stringify(changes),
  };
}

function refused(error: unknown): never {
  if (error instanceof FeedError) throw refusal(409, { error: "conflict", message: error.message });
  return unlessBusy(error);
}
