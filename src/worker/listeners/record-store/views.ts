import { createHash } from "node:crypto";
import { parseDatetime, formatDatetime } from "../../../catalog/datetime.ts";
import type { Json, JsonObject } from "../../../catalog/record.ts";
import { readLink } from "../../../db/accounts/read-secrets.ts";
import {
  type FoundAccount,
  type Profile,
  findAccount,
  readProfile,
} from "../../../db/accounts/read-accounts.ts";
import type { LinkPurpose } from "../../../db/accounts/account-rows.ts";
import { LINK_SECONDS } from "../../../db/accounts/write-secrets.ts";
import { availabilityStatusOf } from "../../../search/present/availability.ts";
import { preferenceChanges, readPreferences, storePreferences } from "../../accounts/preferences.ts";
import { lendingOf } from "../../lending/service/lending-of.ts";
import { recordNotFound } from "../../http/errors.ts";
import type { Failure } from "../../http/failure.ts";
import { failure } from "../../http/failure.ts";
import type { RequestContext } from "../../http/operation.ts";
import { english } from "../../../catalog/texts.ts";

export function accountDocument(account: FoundAccount, profile: Profile): JsonObject {
  const { username, subject } = account;
  return withRev({
    _key: `account/${username}`,
    type: "account",
    username,
    lusername: account.usernameFolded,
    email: account.email,
    status: account.status,
    bot: account.bot,
    tags: [...account.tags],
    created_on: account.created,
    last_login: account.lastLogin,
    data: { displayname: account.displayname, ...profile },
    internetarchive_itemname: subject?.startsWith("@") === true ? subject : null,
  });
}

/** Hexadecimal digits of a `_rev` derived from a document: a whole number that JSON can represent. */
const REV_DIGITS = 13;

/** Adds a `_rev` derived from the document's content, so that each state has its own. */
function withRev(document: JsonObject): JsonObject {
  const hash = createHash("sha256").update(JSON.stringify(document)).digest("hex");
  return { ...document, _rev: String(Number.parseInt(hash.slice(0, REV_DIGITS), 16)) };
}

/** Converts a sent `_rev` to text: "" if it is invalid. */
export function revOf(rev: Json): string {
  return typeof rev === "string" || typeof rev === "number" ? String(rev) : "";
}

export function documentConflict(key: string): Failure {
  const body = { error: "conflict", key, message: english({ key: "conflict.document" }) };
  return failure("conflict.document", {}, { body });
}

/** Returns the lending status of a scan as a document; undefined if the scan is unknown. Never contains names. */
async function ebookDocument(context: RequestContext, ocaid: string): Promise<JsonObject | undefined> {
  const lending = lendingOf(context);
  const status = (await lending.statuses([ocaid])).get(ocaid);
  if (status === undefined) return undefined;
  const [loan] = await lending.loansOf(ocaid);
  const word = availabilityStatusOf(status);
  return withRev({
    _key: `ebooks/${ocaid}`,
    type: "ebook",
    identifier: ocaid,
    loan:
      loan === undefined
        ? null
        : {
            uuid: loan.uuid,
            loaned_at: loan.loanedAt / 1000,
            resource_type: "bookreader",
            ocaid,
            book: loan.book,
          },
    // Q480: a text, and "true" for every scan that is not available at the moment.
    borrowed: word === "open" || word === "borrow_available" ? "false" : "true",
    wl_size: status.waiting,
  });
}

/**
 * Keys of the document store whose documents are stored elsewhere, and only shown here: accounts with their data, the
 * preferences of patrons, and the lending status of scans.
 */
type Home =
  | { kind: "account" | "email" | "preferences" | "ebook" | "unknown"; name: string }
  | { kind: "link"; name: string; purpose: LinkPurpose };

const LINK = /^account\/([^/]+)\/(verify|password|email)$/;

export function homeOf(key: string): Home | undefined {
  const [, owner = "", purpose] = LINK.exec(key) ?? [];
  // One of those that the expression names.
  if (purpose !== undefined) return { kind: "link", name: owner, purpose: purpose as LinkPurpose };
  const [, patron] = /^\/people\/([^/]+)\/preferences$/.exec(key) ?? [];
  if (patron !== undefined) return { kind: "preferences", name: patron };
  const [, scan] = /^ebooks\/([^/]+)$/.exec(key) ?? [];
  if (scan !== undefined) return { kind: "ebook", name: scan };
  if (key.startsWith("account-email/")) return { kind: "email", name: key.slice("account-email/".length) };
  if (!key.startsWith("account/")) return undefined;
  const name = key.slice("account/".length);
  return name.includes("/") ? { kind: "unknown", name } : { kind: "account", name };
}

/** Returns the document as the store shows it; undefined if there is none. Never contains a password or a code. */
export async function storeViewOf(context: RequestContext, home: Home): Promise<JsonObject | undefined> {
  const { patrons } = context.stores;
  if (home.kind === "unknown") return undefined;
  if (home.kind === "ebook") return ebookDocument(context, home.name);
  const by = home.kind === "email" ? { email: home.name } : { username: home.name };
  const account = await findAccount(patrons, by);
  if (account === undefined) return undefined;
  const { username, email } = account;
  switch (home.kind) {
    case "account":
      return accountDocument(account, await readProfile(patrons, username));
    case "email":
      return withRev({ _key: `account-email/${email.toLowerCase()}`, type: "account-email", username });
    case "preferences":
      return preferencesDocument(username, await readPreferences(context, username));
    case "link": {
      const link = await readLink(patrons, username, home.purpose);
      if (link === undefined) return undefined;
      return withRev({
        _key: `account/${username}/${home.purpose}`,
        type: "account-link",
        username,
        email: link.email,
        created_on: formatDatetime(parseDatetime(link.expires) - LINK_SECONDS[home.purpose] * 1000),
        expires_on: link.expires,
      });
    }
  }
}

/** Sets some preferences; the others stay. Throws 409 for the `_rev` of another state. */
export async function writePreferences(context: RequestContext, home: Home, body: JsonObject): Promise<void> {
  const key = `/people/${home.name}/preferences`;
  const account = await findAccount(context.stores.patrons, { username: home.name });
  if (account === undefined) throw recordNotFound(key);
  const { _key: _, _rev: rev, _delete: isDeleted, type: __, ...preferences } = body;
  if (isDeleted === true) throw failure("bad_data.preferences_deletion");
  const { username } = account;
  const current = await readPreferences(context, username);
  if (rev !== undefined && rev !== null && revOf(rev) !== preferencesDocument(username, current)["_rev"]) {
    throw documentConflict(key);
  }
  // Unchanged values that were read here are accepted even if they are unknown.
  const changes = Object.entries(preferences).filter(([name, value]) => current[name] !== value);
  const parsed = preferenceChanges.safeParse(Object.fromEntries(changes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw failure("bad_data.preference", {
      name: issue?.path.join(".") ?? "",
      reason: issue?.message ?? "",
    });
  }
  await storePreferences(context, username, parsed.data);
}

function preferencesDocument(username: string, preferences: Readonly<Record<string, string>>): JsonObject {
  return withRev({ _key: `/people/${username}/preferences`, type: "preferences", ...preferences });
}

export function refuseView(key: string, home: Home): Failure {
  switch (home.kind) {
    case "preferences":
      return failure("bad_data.preferences_view", { key });
    case "link":
      return failure("bad_data.link_view", { key });
    case "ebook":
      return failure("bad_data.ebook_view", { key });
    default:
      return failure("bad_data.account_view", { key });
  }
}
