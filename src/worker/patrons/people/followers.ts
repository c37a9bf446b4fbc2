import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { countFollowers, readFollowers } from "../../../db/patrons/follows.ts";
import { follow, unfollow } from "../../accounts/follow.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/account-form.ts";
import { READ_ONLY_GROUP } from "../../../catalog/roles.ts";
import { forbidden, notFound } from "../../http/errors.ts";
import { type AnyOperation, type RequestContext, type Session, operation } from "../../http/operation.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { type Reply, privateJson, seeOther } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { notify } from "../../ui/notice.ts";
import { link } from "../../ui/parts.ts";
import { numberedLinks } from "./book-list.ts";
import { patronPage } from "./patron-page.ts";
import { followButton } from "./person-page.ts";
import { type ShownPatron, LOG_PAGE, PATRON_PAGE, personPath, shownPatron } from "./shown-patron.ts";
import { table } from "../../ui/table.ts";
import { day, say } from "../../ui/words.ts";

/** `GET /people/<u>/followers`: the followers of a patron, page by page. */
export const followers = followOperation("followers", "Page of those who follow a patron", readSubscribersOf);
/** `GET /people/<u>/following`: the patrons whom a patron follows, hidden with the reading log. */
export const following = followOperation(
  "following",
  "Page of the patrons that a patron follows",
  async ({ stores }, username, page) =>
    patronOf(stores, username).pages.following({ page, size: ENTRIES_PER_PAGE }),
);

/** Page of followed patrons or followers; `page` is the requested one, or the last one. */
interface FollowPart {
  readonly page: number;
  readonly total: number;
  readonly entries: readonly { readonly username: string; readonly created: number }[];
}

function followOperation(
  kind: "followers" | "following",
  summary: string,
  read: (context: RequestContext, username: string, page: number) => Promise<FollowPart>,
): AnyOperation {
  return operation({
    id: `${kind}Page`,
    summary,
    tag: "people",
    path: { username: z.string() },
    query: { page: pageNumber() },
    responses: kind === "following" ? LOG_PAGE : PATRON_PAGE,
    async handle({ path: { username }, query: { page } }, context) {
      const patron = await shownPatron(context, username);
      if (kind === "following" && !patron.isOpen) return seeOther(personPath(patron.username));
      const { username: shown, reader } = patron;
      const { entries, total, page: number } = await read(context, shown, page);
      const name = { name: shown };
      const title = kind === "followers" ? say("person.followers_of", name) : say("person.followed_by", name);
      const buttons = await followButtons(context, { reader, entries });
      const list = table({
        caption: title,
        columns: [
          say("person.patron"),
          say("person.followed_since"),
          ...(reader === undefined ? [] : [say("person.follow_column")]),
        ],
        rows: entries.map(({ username: other, created }, at) => [
          link(personPath(other), other),
          day(datetimeText(created)),
          ...buttons.slice(at, at + 1),
        ]),
      });
      const path = personPath(shown, `/${kind}`);
      const body = markup`${entries.length === 0 ? markup`<p>${say("person.nobody")}</p>` : list}
${numberedLinks(path, { page: number, last: lastPage(total) })}`;
      return patronPage(patron, { tab: kind, title, body });
    },
  });
}

/**
 * Renders follow buttons for the entries. The reader's follows come from their object, because the table may be a
 * moment behind.
 */
export async function followButtons(
  { stores }: RequestContext,
  {
    reader,
    entries,
  }: Pick<ShownPatron, "reader"> & { readonly entries: readonly { readonly username: string }[] },
): Promise<Markup[]> {
  if (reader === undefined) return [];
  const names = entries.map(({ username }) => username.toLowerCase());
  const followed = new Set(await patronOf(stores, reader).pages.followed(names));
  return entries.map(({ username: publisher }) => {
    const name = publisher.toLowerCase();
    if (name === reader.toLowerCase()) return markup`–`;
    return followButton({ reader, publisher, isFollowed: followed.has(name) });
  });
}

async function readSubscribersOf({ stores }: RequestContext, username: string, page: number) {
  const { patrons } = stores;
  const total = await countFollowers(patrons, username);
  const shown = Math.min(page, lastPage(total));
  const limits = { offset: (shown - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE };
  return { page: shown, total, entries: await readFollowers(patrons, username, limits) };
}

const moments = { updated: z.string().nullable(), created: z.string().nullable() };
const row = z.object({ subscriber: z.string(), publisher: z.string(), disabled: z.boolean(), ...moments });

/** `GET /people/<u>/follows.json`: the patrons whom the patron follows, visible to them alone. */
export const follows = operation({
  id: "follows",
  summary: "Patrons that the caller follows",
  tag: "people",
  path: { username: z.string() },
  query: { redir_url: z.string().default("/").describe("Path on this site to go to after the login") },
  responses: {
    200: { description: "All of them, the last one first", schema: z.array(row) },
    303: { description: "Another user: to the login" },
  },
  async handle({ path: { username }, query: { redir_url } }, context) {
    const session = await ownSessionOf(context, username);
    if (session === undefined) return toLogin(redir_url);
    const followed = await patronOf(context.stores, session.username).follows.following();
    const { username: subscriber } = session;
    const rows = followed.map(({ username: publisher, disabled, updated, created }) => {
      return { subscriber, publisher, disabled, updated: timeText(updated), created: timeText(created) };
    });
    return privateJson(rows);
  },
});

/** Returns the session if it belongs to the patron of the page; undefined for all other clients. */
async function ownSessionOf(context: RequestContext, username: string): Promise<Session | undefined> {
  const session = await context.session();
  return session?.username.toLowerCase() === username.toLowerCase() ? session : undefined;
}

/** Redirects to the login, and from there to the target if it is on this site. */
function toLogin(target: string): Reply {
  return seeOther(`/account/login?redir_url=${encodeURIComponent(redirectTarget(target) ?? "/")}`);
}

/** Formats naive UTC, without a fraction that is zero. */
function timeText(milliseconds: number): string {
  return datetimeText(milliseconds).replace(/\.0+$/, "");
}

/** Q226: value of `state` on pages of a patron whom the reader does not follow. */
const NOT_FOLLOWED = "0";

/** `POST /people/<u>/follows.json`: follows or unfollows a patron; `state` is the state that the page showed. */
export const changeFollow = operation({
  id: "follow",
  summary: "Follow a patron, or no longer",
  tag: "people",
  path: { username: z.string() },
  form: {
    // An empty field counts as absent.
    publisher: z
      .preprocess((text) => (text === "" ? undefined : text), z.string())
      .describe("Username of the patron"),
    state: z.string().default("").describe("0: is not followed, and will be; anything else: the reverse"),
    redir_url: z.string().default("/").describe("Path on this site to go to"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    303: { description: "Done: to `redir_url`. Another user: to the login" },
    404: { description: "No such patron" },
  },
  async handle({ path: { username }, form }, context) {
    const { publisher, state, redir_url } = form;
    const session = await ownSessionOf(context, username);
    if (session === undefined) return toLogin(redir_url);
    const { groups } = await context.actor();
    if (groups.has(READ_ONLY_GROUP)) throw forbidden("This account may read only.");
    const change = state === NOT_FOLLOWED ? follow : unfollow;
    if (!(await change(context, { subscriber: session.username, publisher }))) throw notFound();
    notify(context, state === NOT_FOLLOWED ? "notice.followed" : "notice.unfollowed");
    return seeOther(redirectTarget(redir_url) ?? "/");
  },
});
