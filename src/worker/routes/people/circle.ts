import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { countFollowers, readFollowers } from "../../../db/patrons/follows.ts";
import { type AnyOperation, type RequestContext, operation } from "../../http/operation.ts";
import { circlePage } from "../../pages/people/rows-pages.ts";
import { ENTRIES_PER_PAGE, lastPage, pageNumber } from "../../http/parameters.ts";
import { type ShownPatron, shownPatron } from "../../people/shown-patron.ts";
import { patronOf } from "../../http/session.ts";

/** A part of a patron's circle; `page` is the one asked for, or the last one. */
interface CirclePart {
  readonly page: number;
  readonly total: number;
  readonly entries: readonly { readonly username: string; readonly created: number }[];
}

/** `GET /people/<u>/followers`: who follows a patron, page by page (patrons.md 3.11). */
export const followers = circleOperation("followers", "Page of those who follow a patron", readSubscribersOf);
/** `GET /people/<u>/following`: whom a patron follows. */
export const following = circleOperation("following", "Page of those whom a patron follows", readFollowed);

function circleOperation(
  kind: "followers" | "following",
  summary: string,
  read: (context: RequestContext, username: string, page: number) => Promise<CirclePart>,
): AnyOperation {
  return operation({
    id: `${kind}Page`,
    summary,
    tag: "people",
    path: { username: z.string() },
    query: { page: pageNumber() },
    responses: {
      200: { description: "The page", contentType: "text/html" },
      404: { description: "There is no such patron" },
    },
    async handle({ path: { username }, query: { page } }, context) {
      const patron = await shownPatron(context, username);
      const part = await read(context, patron.username, page);
      const isFollowed = await followedBy(context, patron, part);
      return circlePage({
        patron,
        kind,
        page: part.page,
        last: lastPage(part.total),
        patrons: part.entries.map(({ username: name, created }) => ({
          username: name,
          since: datetimeText(created),
          isFollowed: isFollowed(name),
        })),
      });
    },
  });
}

async function readSubscribersOf(
  context: RequestContext,
  username: string,
  page: number,
): Promise<CirclePart> {
  const { patrons } = context.stores;
  const total = await countFollowers(patrons, username);
  const shown = Math.min(page, lastPage(total));
  const limits = { offset: (shown - 1) * ENTRIES_PER_PAGE, limit: ENTRIES_PER_PAGE };
  return { page: shown, total, entries: await readFollowers(patrons, username, limits) };
}

async function readFollowed({ stores }: RequestContext, username: string, page: number): Promise<CirclePart> {
  return patronOf(stores, username).pages.following({ page, size: ENTRIES_PER_PAGE });
}

/** Whom of those shown the reader follows: his own object knows, where the table may be a moment behind. */
async function followedBy(
  { stores }: RequestContext,
  { reader }: ShownPatron,
  { entries }: CirclePart,
): Promise<(username: string) => boolean | undefined> {
  if (reader === undefined) return () => undefined;
  const names = entries.map(({ username }) => username.toLowerCase());
  const followed = new Set(await patronOf(stores, reader).pages.followed(names));
  return (username) => {
    const name = username.toLowerCase();
    return name === reader.toLowerCase() ? undefined : followed.has(name);
  };
}
