import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { READ_ONLY_GROUP } from "../../../catalog/roles.ts";
import { countFollowers, readFollowedFeed, readFollowers } from "../../../db/patrons/follows.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/account-form.ts";
import { followPatron, unfollow } from "../../accounts/follow.ts";
import { notFound } from "../../http/errors.ts";
import { failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { Redirect, privateJson, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { notify } from "../../ui/notice.ts";
import { listBooks } from "./book-list.ts";
import { feedPage, followsPage } from "./follows-page.ts";
import { LOG_PAGE, OWN_PAGE, PATRON_PAGE, personPath, requirePatron } from "./patron-page.ts";

export const followers = operation({
  id: "followersPage",
  summary: "Show the followers of a patron",
  tag: "people",
  path: { username: z.string() },
  query: { page: pageNumber() },
  responses: PATRON_PAGE,
  async handle({ path, query }, context) {
    const patron = await requirePatron(context, path.username);
    const { patrons } = context.stores;
    const total = await countFollowers(patrons, patron.username);
    const page = Math.min(query.page, lastPage(total));
    const window = { offset: (page - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE };
    const entries = await readFollowers(patrons, patron.username, window);
    const followed = await readFollowed(context, patron.reader, entries);
    return followsPage(patron, "followers", { list: { page, total, entries }, followed });
  },
});

/** `GET /people/<u>/following`: followed patrons, which are hidden with the reading log. */
export const following = operation({
  id: "followingPage",
  summary: "Show the patrons that a patron follows",
  tag: "people",
  path: { username: z.string() },
  query: { page: pageNumber() },
  responses: LOG_PAGE,
  async handle({ path, query: { page } }, context) {
    const patron = await requirePatron(context, path.username);
    if (!patron.isOpen) return seeOther(personPath(patron.username));
    const { pages } = patronOf(context.stores, patron.username);
    const list = await pages.following({ page, size: ENTRIES_PER_PAGE });
    const followed = await readFollowed(context, patron.reader, list.entries);
    return followsPage(patron, "following", { list, followed });
  },
});

/** Returns whom of the patrons the reader follows, from the reader's object: the table lags behind. */
export async function readFollowed(
  { stores }: RequestContext,
  reader: string | undefined,
  patrons: readonly { username: string }[],
): Promise<ReadonlySet<string> | undefined> {
  if (reader === undefined) return undefined;
  const names = patrons.map(({ username }) => username.toLowerCase());
  return new Set(await patronOf(stores, reader).pages.filterFollowed(names));
}

const followRow = z.object({
  subscriber: z.string(),
  publisher: z.string(),
  disabled: z.boolean(),
  updated: z.string().nullable(),
  created: z.string().nullable(),
});

export const follows = operation({
  id: "follows",
  summary: "List the patrons you follow",
  tag: "people",
  path: { username: z.string() },
  query: { redir_url: z.string().default("/").describe("Path on this site to go to after login") },
  responses: {
    200: { description: "Followed patrons, latest first", schema: z.array(followRow) },
    303: { description: "Redirect to the login if the caller is another user" },
  },
  async handle({ path: { username }, query: { redir_url } }, context) {
    const session = await sessionOrLogin(context, username, redir_url);
    if (session instanceof Redirect) return session;
    const { username: subscriber } = session;
    const followed = await patronOf(context.stores, subscriber).follows.following();
    const rows = followed.map(({ username: publisher, disabled, updated, created }) => {
      return { subscriber, publisher, disabled, updated: formatTime(updated), created: formatTime(created) };
    });
    return privateJson(rows);
  },
});

/** Returns the session of the patron of a path; for other clients a redirect to the login, which leads to `target`. */
async function sessionOrLogin(context: RequestContext, username: string, target: string) {
  const session = await context.session();
  if (session?.username.toLowerCase() === username.toLowerCase()) return session;
  return seeOther(`/account/login?redir_url=${encodeURIComponent(redirectTarget(target) ?? "/")}`);
}

/** Formats naive UTC, without a fraction of zero. */
function formatTime(milliseconds: number): string {
  return formatDatetime(milliseconds).replace(/\.0+$/, "");
}

/** Q226: value of `state` on pages of a patron whom the reader does not follow. */
const NOT_FOLLOWED = "0";

/** `POST /people/<u>/follows.json`: follows or unfollows a patron; `state` is the state that the page showed. */
export const changeFollow = operation({
  id: "follow",
  summary: "Follow or unfollow a patron",
  tag: "people",
  path: { username: z.string() },
  form: {
    // An empty field counts as absent.
    publisher: z
      .preprocess((text) => (text === "" ? undefined : text), z.string())
      .describe("Username of the patron"),
    state: z.string().default("").describe("Current state: 0 follows the patron, any other value unfollows"),
    redir_url: z.string().default("/").describe("Path on this site to go to afterwards"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    303: { description: "Redirect to `redir_url`, or to the login if the caller is another user" },
  },
  async handle({ path: { username }, form }, context) {
    const { publisher, state, redir_url } = form;
    const session = await sessionOrLogin(context, username, redir_url);
    if (session instanceof Redirect) return session;
    const { groups } = await context.actor();
    if (groups.has(READ_ONLY_GROUP)) throw failure("forbidden.read_only_account");
    const change = state === NOT_FOLLOWED ? followPatron : unfollow;
    if (!(await change(context, { subscriber: session.username, publisher }))) throw notFound();
    notify(context, state === NOT_FOLLOWED ? "notice.followed" : "notice.unfollowed");
    return seeOther(redirectTarget(redir_url) ?? "/");
  },
});

const FEED_ENTRIES = 25;

export const feed = operation({
  id: "feedPage",
  summary: "Show the feed of followed patrons",
  tag: "people",
  path: { username: z.string() },
  responses: OWN_PAGE,
  async handle({ path: { username } }, context) {
    const patron = await requirePatron(context, username);
    if (!patron.isOwn) return seeOther(personPath(patron.username));
    const entries = await readFollowedFeed(context.stores.patrons, patron.username, FEED_ENTRIES);
    return feedPage(patron, await listBooks(context, entries));
  },
});
