import * as z from "zod";
import { english } from "../../catalog/texts.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import type { PatronSync, SyncedProgress } from "../../durable/patron/sync.ts";
import { partialSimilarityOf } from "../../search/reconcile/properties.ts";
import { LOGIN_FAILURES, attempt, byAddress } from "../accounts/budgets.ts";
import { syncKeyHash } from "../accounts/sync-key.ts";
import { unlessRemoved } from "../accounts/unless-removed.ts";
import { chargeBytes } from "../editing/byte-budget.ts";
import { failure } from "../http/failure.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { isReadOnlyAccount } from "../http/read-only.ts";
import { privateJson } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { searchBooks } from "../patrons/data/find-own-books.ts";

/** Longest texts of a request, in characters. */
const DOCUMENT_LENGTH = 128;
const PROGRESS_LENGTH = 2000;
const NAME_LENGTH = 500;
/** Minimum similarity of the title of a document and that of a work on a shelf. */
const SAME_TITLE = 90;

const text = z.string().max(NAME_LENGTH);
const share = z.union([
  z.number(),
  z
    .string()
    .regex(/^[\d.]+$/)
    .transform(Number),
]);
const document = z.string().regex(/^\w+$/).max(DOCUMENT_LENGTH).describe("Digest of the document");
const progressSchema = z.object({
  document,
  progress: z.union([z.string().max(PROGRESS_LENGTH), z.number()]).transform(String),
  percentage: share.pipe(z.number().gte(0).lte(1)).describe("Share that has been read, from 0 to 1"),
  device: text.min(1),
  device_id: text.nullish(),
  metadata: z
    .object({ title: text.nullish(), authors: text.nullish().describe("One author a line") })
    .nullish()
    .catch(undefined),
});

const UNAUTHORIZED = { 401: { description: "Wrong username or key" } };
const PROTOCOL = "Progress of KOReader: https://github.com/koreader/koreader-sync-server";

export const createSyncUser = operation({
  id: "kosyncCreate",
  summary: "Reject a registration from an e-reader",
  tag: "reading",
  responses: { 403: { description: "Accounts and their sync keys are created on the site" } },
  handle(_input, context) {
    const values = { url: `${baseUrl(context)}/account/create` };
    const message = english({ key: "forbidden.sync_account", values });
    throw failure("forbidden.sync_account", values, { body: { code: 2005, message } });
  },
});

export const authorizeSync = operation({
  id: "kosyncAuthorize",
  summary: "Check a sync key",
  tag: "reading",
  responses: {
    ...UNAUTHORIZED,
    200: { description: PROTOCOL, schema: z.object({ authorized: z.literal("OK") }) },
  },
  async handle(_input, context) {
    await withSync(context, (sync, hash) => sync.authorize(hash));
    return privateJson({ authorized: "OK" });
  },
});

export const putProgress = operation({
  id: "kosyncUpdate",
  summary: "Store the progress of a document",
  tag: "reading",
  json: progressSchema,
  responses: {
    ...UNAUTHORIZED,
    200: { description: PROTOCOL, schema: z.object({ document: z.string(), timestamp: z.int() }) },
    403: { description: "Read-only account" },
    429: { description: "Too many bytes stored" },
  },
  async handle({ json: { device_id: deviceId = null, metadata, ...progress } }, context) {
    const [title, authors] = [metadata?.title || null, metadata?.authors || null];
    const entry: SyncedProgress = { ...progress, deviceId, title, authors };
    const { username, value } = await withSync(context, async (sync, hash, key) => {
      if ((await sync.authorize(hash)) === undefined) return undefined;
      if (await isReadOnlyAccount(context, key)) throw failure("forbidden.read_only_account");
      await chargeBytes(context, { key }, JSON.stringify(entry).length);
      return sync.write(hash, entry, context.now);
    });
    if (value.isUnmatched) {
      const matching = matchWork(context, username, entry);
      context.waitUntil(
        matching.catch((error: unknown) =>
          logLine("error", "search failure", { error: String(loggable(error)) }),
        ),
      );
    }
    return privateJson({ document: entry.document, timestamp: Math.floor(context.now / 1000) });
  },
});

export const getProgress = operation({
  id: "kosyncRead",
  summary: "Get the progress of a document",
  tag: "reading",
  path: { document },
  responses: {
    ...UNAUTHORIZED,
    200: {
      description: `${PROTOCOL}. An object without members for an unknown document`,
      schema: z.object({
        document: z.string().optional(),
        progress: z.string().optional(),
        percentage: z.number().optional(),
        device: z.string().optional(),
        device_id: z.string().optional(),
        timestamp: z.int().optional(),
      }),
    },
  },
  async handle({ path }, context) {
    const { value } = await withSync(context, (sync, hash) => sync.read(hash, path.document));
    if (value.found === null) return privateJson({});
    const { document: digest, progress, percentage, device, deviceId, updated } = value.found;
    return privateJson({
      document: digest,
      progress,
      percentage,
      device,
      ...(deviceId !== null && { device_id: deviceId }),
      timestamp: Math.floor(updated / 1000),
    });
  },
});

type SyncCalls = Pick<ReturnType<typeof patronOf>["sync"], keyof PatronSync>;

/**
 * Calls the object of the patron whom the headers name. `call` returns undefined for a wrong key. Wrong keys count for the
 * client's address like wrong passwords; they are too long to be guessed from many. Throws 401 and 429.
 */
async function withSync<Value>(
  context: RequestContext,
  call: (sync: SyncCalls, hash: string, key: string) => Promise<Value | undefined>,
): Promise<{ username: string; value: Value }> {
  const { headers } = context.request;
  const [name = "", digest = ""] = ["x-auth-user", "x-auth-key"].map((header) => headers.get(header) ?? "");
  const result = await attempt(context, byAddress(context, "sync", LOGIN_FAILURES), async () => {
    // Without an account there is no object to call: a call would create one.
    const account = await findAccount(context.stores.patrons, { username: name });
    if (account?.status !== "active") return { value: undefined, isCounted: true };
    const { username } = account;
    const { sync } = patronOf(context.stores, username);
    const value = await unlessRemoved(call(sync, syncKeyHash(username, digest), `/people/${username}`));
    return { value: value === undefined ? undefined : { username, value }, isCounted: value === undefined };
  });
  if (result !== undefined) return result;
  const message = "Unauthorized";
  throw failure("unauthenticated.credentials", {}, { message, body: { code: 2001, message } });
}

/** Q839: finds the one book on the patron's shelves that a document is, by title and author. */
async function matchWork(
  context: RequestContext,
  username: string,
  { document: digest, title, authors }: SyncedProgress,
) {
  const { pages, sync } = patronOf(context.stores, username);
  const [author = ""] = (authors ?? "").split("\n");
  const row = { position: 0, title: title ?? "", author, isbn: null, shelf: null, details: {} };
  const guess = (await searchBooks(context, [row])).get(0) ?? { candidates: [] };
  const works =
    "book" in guess
      ? [guess.book.work]
      : guess.candidates
          .filter((book) => partialSimilarityOf(book.title, row.title) >= SAME_TITLE)
          .map(({ work }) => work);
  const [book, ...others] = await pages.booksOf(works);
  await sync.setWork(digest, book === undefined || others.length > 0 ? null : book.work);
}
