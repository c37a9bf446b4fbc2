import * as z from "zod";
import { latestRecordOf } from "../../../catalog/document.ts";
import { type ShelfId, ALREADY_READ, CURRENTLY_READING } from "../../../catalog/patrons/shelves.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { type Reply, redirect } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { recordPath } from "../../http/paths.ts";
import { readAnyRecord } from "../../records/record.ts";
import { type BookView, readBookViews } from "./book-list.ts";
import { type PatronView, findPatron } from "./patron-page.ts";
import { type LogView, profilePage } from "./profile-page.ts";

/** `GET /people/<u>` (Q228): a page for people; the record, its history and revisions for other clients. */
export const person: AnyOperation = {
  ...readAnyRecord,
  id: "person",
  summary: "Get the record or page of a patron",
  tag: "people",
  path: { username: z.string() },
  async handle(input, context) {
    const name = String(input.path["username"]);
    const patron = wantsProfilePage(context) ? await findPatron(context, name) : undefined;
    return patron === undefined ? readAnyRecord.handle(input, context) : sendProfile(patron, context);
  },
};

export function wantsProfilePage({ url, request }: RequestContext): boolean {
  const isPlain = !url.searchParams.has("m") && !url.searchParams.has("v");
  const { encoding } = recordPath(url.pathname, request.headers.get("Accept"));
  return isPlain && encoding === undefined && wantsHtml(request);
}

const PROFILE_BOOKS = 8;

async function sendProfile(patron: PatronView, context: RequestContext): Promise<Reply> {
  const { username, reader, isOwn } = patron;
  const [row, log, followed] = await Promise.all([
    readRecord(catalogReader(context), `/people/${username}`),
    readLog(patron, context),
    reader === undefined || isOwn
      ? undefined
      : patronOf(context.stores, reader).pages.filterFollowed([username.toLowerCase()]),
  ]);
  const record = row === undefined ? {} : latestRecordOf(row);
  const isFollowed = followed === undefined ? undefined : followed.length > 0;
  return profilePage(patron, { record, log, isFollowed });
}

async function readLog(patron: PatronView, context: RequestContext): Promise<LogView | undefined> {
  if (!patron.isOpen) return undefined;
  const { pages } = patronOf(context.stores, patron.username);
  const { sizes, newest } = await pages.overview({ limit: PROFILE_BOOKS, year: patron.year });
  const works = newest.map(({ work }) => work);
  const books = await readBookViews(context, works);
  const booksOn = (id: ShelfId): BookView[] =>
    newest.flatMap((entry) => (entry.shelf === id ? (books.get(entry.work) ?? []) : []));
  return { sizes, reading: booksOn(CURRENTLY_READING), read: booksOn(ALREADY_READ) };
}

/** Picture of patrons whose identity provider has none. */
const DEFAULT_PICTURE = "/static/patron.svg";

export const avatar = operation({
  id: "avatar",
  summary: "Redirect to the picture of a patron",
  tag: "people",
  path: { username: z.string() },
  responses: { 303: { description: "Redirect to the picture" } },
  async handle({ path: { username } }, { stores, settings }) {
    const account = await findAccount(stores.patrons, { username });
    if (account === undefined) throw notFound();
    const { subject } = account;
    // Q225: neither other providers nor the service itself have pictures.
    const hasPicture = settings.IDENTITY_PROVIDER === "xauth" && subject !== null;
    const address = hasPicture
      ? `${settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "")}/services/img/${encodeURIComponent(subject).replaceAll("%40", "@")}`
      : DEFAULT_PICTURE;
    return redirect(303, address, { cacheControl: "public, max-age=3600" });
  },
});
