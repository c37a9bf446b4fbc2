import * as z from "zod";
import { latestRecordOf } from "../../../catalog/document.ts";
import { type ShelfId, ALREADY_READ, CURRENTLY_READING } from "../../../catalog/patrons/shelves.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../../catalog/record.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { followAction } from "../../accounts/follow.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { type Reply, redirect } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { recordPath } from "../../http/paths.ts";
import { readAnyRecord } from "../../records/record.ts";
import { factList } from "../../ui/facts.ts";
import { type Markup, type Piece, forReader, markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";
import { bookShelf } from "../../ui/book-row.ts";
import { prose, section, webLink } from "../../ui/values.ts";
import { day, t } from "../../ui/words.ts";
import { type PatronView, findPatron, patronPage, personPath, shelfChips } from "./patron-page.ts";
import { type BookView, readBookViews } from "./book-list.ts";

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
  return renderProfile(patron, { record, log, isFollowed });
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

interface LogView {
  /** Number of works on each shelf, by the shelf's number. */
  sizes: Readonly<Record<number, number>>;
  reading: readonly BookView[];
  read: readonly BookView[];
}

/** Renders the profile. `log` is undefined if hidden from the reader, `isFollowed` if the reader cannot follow. */
function renderProfile(
  patron: PatronView,
  content: { record: CatalogRecord; log: LogView | undefined; isFollowed: boolean | undefined },
): Reply {
  const { record, log, isFollowed } = content;
  const { username, displayname, created, isOwn } = patron;
  // Patrons can write anything into their record, including `javascript:` addresses.
  const websites = stringsOf(record["website"]).filter((address) => /^https?:\/\//i.test(address));
  const changes = `/recentchanges?author=${encodeURIComponent(`/people/${username}`)}`;
  const body = markup`${prose(textOf(record["description"]))}
${factList([
  [t("person.username"), markup`<bdi>${username}</bdi>`],
  [t("person.since"), day(created)],
  [
    t("person.websites"),
    websites.length === 0 ? undefined : websites.map((address) => markup`<div>${webLink(address)}</div>`),
  ],
])}
${renderLog(patron, log)}
<p>${link(changes, t("person.changes"))}</p>
${isOwn && markup`<p>${link("/account", t("person.account"))}</p>`}`;
  return patronPage(patron, {
    tab: "profile",
    title: displayname === "" ? username : displayname,
    aside: followForm(patron, isFollowed),
    body,
  });
}

function renderLog({ username, isOpen }: PatronView, log: LogView | undefined): Markup {
  if (!isOpen || log === undefined) return markup`<p>${t("forbidden.private_log")}</p>`;
  return markup`${section(t("person.log"), shelfChips(username, log.sizes))}
${booksSection(t("shelf.reading"), log.reading)}${booksSection(t("person.read_last"), log.read)}`;
}

function booksSection(heading: Piece, books: readonly BookView[]): Piece {
  return books.length > 0 && section(heading, bookShelf(books));
}

/** Renders a button to follow or unfollow a patron. Without a session it leads to the login. */
function followForm(patron: PatronView, isFollowed: boolean | undefined): Markup | undefined {
  const { username, reader } = patron;
  if (reader === undefined) {
    const query = new URLSearchParams({ redirect: personPath(username), action: followAction(username) });
    return markup`<a class="button" href="/account/login?${String(query)}">${t("person.follow", { name: username })}</a>`;
  }
  return isFollowed === undefined ? undefined : followButton({ reader, publisher: username, isFollowed });
}

export function followButton(follow: { reader: string; publisher: string; isFollowed: boolean }): Markup {
  const { reader, publisher, isFollowed } = follow;
  const name = markup`<bdi>${publisher}</bdi>`;
  return forReader(
    ({ here }) => markup`<form method="post" action="${personPath(reader, "/follows.json")}">
<input type="hidden" name="publisher" value="${publisher}"><input type="hidden" name="state" value="${isFollowed ? "1" : "0"}">
<input type="hidden" name="redir_url" value="${here}"><button>${isFollowed ? t("person.unfollow", { name }) : t("person.follow", { name })}</button></form>`,
  );
}
