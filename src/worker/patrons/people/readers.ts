import * as z from "zod";
import { listAccounts } from "../../../db/accounts/read-accounts.ts";
import { readNewestReaders } from "../../../db/patrons/leaders.ts";
import { hidesLog } from "../../accounts/follow.ts";
import type { RequestContext } from "../../http/operation.ts";
import { PRIVATE } from "../../http/reply.ts";
import { optionalSession, patronOf } from "../../http/session.ts";
import { twoViews } from "../../http/views.ts";
import { RECORD_CACHE, recordParameters } from "../../records/record-answer.ts";
import { readAnyRecord, recordReply, showRecordPage } from "../../records/record.ts";
import { isAnonymous } from "../../search/engine.ts";
import { readBookViews } from "./book-list.ts";
import { followButtons } from "./follows-page.ts";
import { readFollowed } from "./follows.ts";
import { isPlainAddress } from "./profile.ts";
import { type ReaderView, LONGEST_NAME, readersPage } from "./readers-page.ts";

/** Readers whose privacy setting is checked, and books of each on the page. */
const READERS_MAX = 24;
const BOOKS_SHOWN = 4;
/** Time that clients and shared caches may store the page, in seconds: the delay until readers can hide their log. */
const READERS_SECONDS = 60;

export const people = twoViews({
  id: "people",
  summary: "List readers with a public reading log",
  tag: "people",
  query: { ...recordParameters, q: z.string().default("").describe("Prefix of the username") },
  cache: RECORD_CACHE,
  responses: readAnyRecord.responses,
  asJson: ({ query }, context) => recordReply(query, context),
  async asPage({ query }, context) {
    if (!isPlainAddress(context)) return showRecordPage(query, context);
    const name = query.q.trim().slice(0, LONGEST_NAME);
    const [readers, session] = await Promise.all([readReaders(context, name), optionalSession(context)]);
    const [books, followed] = await Promise.all([
      readBookViews(context, [...new Set(readers.flatMap(({ works }) => works))]),
      readFollowed(context, session?.username, readers),
    ]);
    const buttons = followButtons(session?.username, followed, readers);
    const cacheControl = isAnonymous(context) ? `public, max-age=${READERS_SECONDS}` : PRIVATE;
    return readersPage(readers, { name, books, buttons, cacheControl });
  },
});

/** Reads readers whose names begin with `name`, or who used a shelf last, without readers who hide their log. */
async function readReaders({ stores, now }: RequestContext, name: string): Promise<ReaderView[]> {
  const { patrons } = stores;
  const accounts =
    name === ""
      ? await readNewestReaders(patrons, READERS_MAX)
      : (await listAccounts(patrons, { prefix: name, limit: READERS_MAX })).filter(
          ({ status }) => status === "active",
        );
  const year = new Date(now).getUTCFullYear();
  const readers = accounts.map(async ({ username, displayname }): Promise<ReaderView[]> => {
    if (await hidesLog(stores, username)) return [];
    const { sizes, newest } = await patronOf(stores, username).pages.overview({ limit: BOOKS_SHOWN, year });
    const latest = newest.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0));
    return [{ username, displayname, sizes, works: latest.slice(0, BOOKS_SHOWN).map(({ work }) => work) }];
  });
  return (await Promise.all(readers)).flat();
}
