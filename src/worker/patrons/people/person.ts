import * as z from "zod";
import { type ShelfId, ALREADY_READ, CURRENTLY_READING } from "../../../catalog/patrons/shelves.ts";
import { latestRecord } from "../../../catalog/document.ts";
import { findAccount } from "../../../db/accounts/read.ts";
import { readRecord } from "../../../db/records/read.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { type Reply, redirect } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { recordPath } from "../../records/record-path.ts";
import { readAnyRecord } from "../../records/record.ts";
import { type ShownLog, personPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, findPatron } from "./shown-patron.ts";

/**
 * `GET /people/<u>` (Q228): a page for people; the record, its history and its older revisions for all other clients.
 */
export const person: AnyOperation = {
  ...readAnyRecord,
  id: "person",
  summary: "A patron's record or page",
  tag: "people",
  path: { username: z.string() },
  async handle(input, context) {
    const name = String(input.path["username"]);
    const patron = isForPeople(context) ? await findPatron(context, name) : undefined;
    return patron === undefined ? readAnyRecord.handle(input, context) : profile(patron, context);
  },
};

/** Returns true if the client wants a page, and not the record, its history or one of its revisions. */
export function isForPeople({ url, request }: RequestContext): boolean {
  const isPlain = !url.searchParams.has("m") && !url.searchParams.has("v");
  const { encoding } = recordPath(url.pathname, request.headers.get("Accept"));
  return isPlain && encoding === undefined && wantsHtml(request);
}

/** Books per shelf on the page of a patron: those being read, and those read. */
const PROFILE_BOOKS = 8;

async function profile(patron: ShownPatron, context: RequestContext): Promise<Reply> {
  const { username, reader, isOwn } = patron;
  const [row, log, followed] = await Promise.all([
    readRecord(catalogReader(context), `/people/${username}`),
    shownLog(patron, context),
    reader === undefined || isOwn
      ? undefined
      : patronOf(context.stores, reader).pages.followed([username.toLowerCase()]),
  ]);
  const record = row === undefined ? {} : latestRecord(row);
  const isFollowed = followed === undefined ? undefined : followed.length > 0;
  return personPage(patron, { record, log, isFollowed });
}

async function shownLog(patron: ShownPatron, context: RequestContext): Promise<ShownLog | undefined> {
  if (!patron.isOpen) return undefined;
  const { pages } = patronOf(context.stores, patron.username);
  const { sizes, newest } = await pages.overview({ limit: PROFILE_BOOKS, year: patron.year });
  const books = await shownBooks(
    context,
    newest.map(({ work }) => work),
  );
  const on = (id: ShelfId): ShownBook[] =>
    newest.flatMap(({ work, shelf }) => (shelf === id ? (books.get(work) ?? []) : []));
  return { sizes, reading: on(CURRENTLY_READING), read: on(ALREADY_READ) };
}

/** Default picture, for patrons whose identity provider has none. */
const DEFAULT_PICTURE = "/static/patron.svg";
/** `Cache-Control` of the redirect to a picture. */
const KEPT = "public, max-age=3600";

/** `GET /people/<u>/avatar`: redirects to the patron's picture. */
export const avatar = operation({
  id: "avatar",
  summary: "Picture of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: {
    303: { description: "To the picture" },
    404: { description: "No such patron" },
  },
  async handle({ path: { username } }, { stores, settings }) {
    const account = await findAccount(stores.patrons, { username });
    if (account === undefined) throw notFound();
    const { subject } = account;
    // Q225: other providers have no pictures, and neither has the service itself.
    const hasPicture = settings.IDENTITY_PROVIDER === "xauth" && subject !== null;
    const address = hasPicture
      ? `${settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "")}/services/img/${encodeURIComponent(subject).replaceAll("%40", "@")}`
      : DEFAULT_PICTURE;
    return redirect(303, address, { cacheControl: KEPT });
  },
});
