import * as z from "zod";
import { latestRecordOf } from "../../../catalog/document.ts";
import { findAccount } from "../../../db/accounts/read-accounts.ts";
import { readRecord } from "../../../db/records/records.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../../http/operation.ts";
import { recordPath } from "../../http/paths.ts";
import { redirect } from "../../http/reply.ts";
import { patronOf } from "../../http/session.ts";
import { twoViews } from "../../http/views.ts";
import { RECORD_CACHE, recordParameters } from "../../records/record-answer.ts";
import { readAnyRecord, recordReply, showRecordPage } from "../../records/record.ts";
import { listBooks } from "./book-list.ts";
import { findPatron } from "./patron-page.ts";
import { profilePage } from "./profile-page.ts";

const PROFILE_BOOKS = 8;

/** `GET /people/<u>` (Q228): a page for people; the record, its history and revisions for other clients. */
export const person = twoViews({
  id: "person",
  summary: "Get the record or page of a patron",
  tag: "people",
  path: { username: z.string() },
  query: recordParameters,
  cache: RECORD_CACHE,
  responses: readAnyRecord.responses,
  asJson: ({ query }, context) => recordReply(query, context),
  async asPage({ path, query }, context) {
    const patron = isPlainAddress(context) ? await findPatron(context, path.username) : undefined;
    if (patron === undefined) return showRecordPage(query, context);
    const { stores } = context;
    const { username, reader, isOwn, isOpen, year } = patron;
    const readLog = async () => {
      const log = await patronOf(stores, username).pages.overview({ limit: PROFILE_BOOKS, year });
      return { ...log, books: await listBooks(context, log.newest) };
    };
    const [row, log, followed] = await Promise.all([
      readRecord(catalogReader(context), `/people/${username}`),
      isOpen ? readLog() : undefined,
      reader === undefined || isOwn
        ? undefined
        : patronOf(stores, reader).pages.filterFollowed([username.toLowerCase()]),
    ]);
    const record = row === undefined ? {} : latestRecordOf(row);
    return profilePage(patron, { record, log, isFollowed: followed && followed.length > 0 });
  },
});

/** Returns true unless the address asks for a mode, a revision or a format of the record. */
export function isPlainAddress({ url, request }: RequestContext): boolean {
  const { encoding } = recordPath(url.pathname, request.headers.get("Accept"));
  return encoding === undefined && !url.searchParams.has("m") && !url.searchParams.has("v");
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
