import { KIB } from "../../../catalog/units.ts";
import { Buffer } from "node:buffer";
import * as z from "zod";
import { type FoundAccount, findAccount } from "../../../db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../../db/accounts/read-secrets.ts";
import { setAccount } from "../../../db/accounts/write-accounts.ts";
import { countMergeRequests } from "../../../db/patrons/forget-patron.ts";
import { openRemoval } from "../../../db/patrons/patron-jobs.ts";
import { WRONG_PASSWORD, verifyOwnPassword } from "../../accounts/authentication.ts";
import { unlessLastAdmin } from "../../accounts/last-admin.ts";
import { ACCOUNT_BODY_BYTES, formPage, passwordField } from "../../accounts/account-form.ts";
import { isLoginElsewhere, logInAgainHint, requireRecentLogin } from "../../accounts/login-elsewhere.ts";
import { ownAccount } from "../../accounts/own-session.ts";
import { SESSION_COOKIE } from "../../http/cookie.ts";
import { notFound } from "../../http/errors.ts";
import { type Failure, type FailureKey, failure } from "../../http/failure.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, privateJson } from "../../http/reply.ts";
import { deletedCookie, patronOf } from "../../http/session.ts";
import { audit } from "../../platform/audit.ts";
import { identityProvider } from "../../accounts/identity-provider.ts";
import { boolean } from "../../http/parameters.ts";
import { isDigest } from "../../lending/notices.ts";
import { messagePage } from "../../ui/action-answer.ts";
import { link } from "../../ui/parts.ts";
import { command } from "../../ui/command.ts";
import { t } from "../../ui/words.ts";
import { REMOVAL_IDLE_MS, removalJob } from "./removal-job.ts";

export const anonymizedSchema = z.object({
  new_username: z.string(),
  booknotes_count: z.int(),
  ratings_count: z.int(),
  observations_count: z.int(),
  bookshelves_count: z.int(),
  merge_request_count: z.int(),
  bestbooks_count: z.int(),
});

/** `POST /account/remove`: removes the patron's own account (Q231). */
export const removeOwn = command({
  id: "removeOwn",
  summary: "Delete your account",
  tag: "account",
  form: {
    confirm: z.string().default("").describe("Username, as confirmation"),
    password: z.string().default("").describe("Password, if the account has one"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Effects of the deletion; a page for browsers",
      schema: anonymizedSchema,
      also: ["text/html"],
    },
    400: { description: "Missing confirmation, wrong password or last administrator" },
  },
  load: readAccountToRemove,
  async submit({ form: { confirm, password }, loaded: { account, needsPassword } }, context) {
    const { username } = account;
    if (confirm.trim().toLowerCase() !== username.toLowerCase())
      throw failureAt("confirm", "bad_data.unconfirmed");
    if (needsPassword && (await verifyOwnPassword(context, { username, password })) === undefined)
      throw failureAt("password", WRONG_PASSWORD.text.key);
    if (isLoginElsewhere(context.settings)) await requireRecentLogin(context);
    const result = await startRemoval(context, account);
    context.cookies.push(deletedCookie(SESSION_COOKIE, context));
    return result;
  },
  page: () =>
    messagePage({
      title: t("removal.done"),
      text: t("removal.done_why"),
      link: { href: "/", text: t("error.start") },
    }),
  again: (refusal, { loaded }) => removalForm(loaded, refusal),
});

function failureAt(field: "confirm" | "password", key: FailureKey): Failure {
  return failure(key, {}, { field, members: { field } });
}

/** Reads the account to remove, and whether its password is required. */
async function readAccountToRemove(_input: unknown, context: RequestContext) {
  const account = await ownAccount(context);
  const hash = await readPasswordHash(context.stores.patrons, account.username);
  const { settings } = context;
  return { account, settings, needsPassword: typeof hash === "string" && !isLoginElsewhere(settings) };
}

function removalForm(
  { account, settings, needsPassword }: Awaited<ReturnType<typeof readAccountToRemove>>,
  refusal?: Failure,
): Reply {
  const label = t("removal.username", { name: account.username });
  const confirm = { name: "confirm", label, required: true, autocomplete: "off" };
  return formPage({
    title: t("accounts.remove"),
    action: "/account/remove",
    submit: t("removal.remove"),
    refusal,
    fields: needsPassword ? [confirm, passwordField()] : [confirm],
    after: isLoginElsewhere(settings) ? [logInAgainHint("/account/remove")] : [],
    before: [t("removal.what_goes"), link("/account/import", t("removal.first"))],
  });
}

export type Anonymized = z.output<typeof anonymizedSchema>;

/**
 * Starts the removal of an account: on return the account is closed to every client, and a queue job removes the data.
 * Throws 400 for the last administrator. A repeated call resumes the removal under way.
 */
export async function startRemoval(context: RequestContext, account: FoundAccount): Promise<Anonymized> {
  const { stores } = context;
  const patron = patronOf(stores, account.username);
  await unlessLastAdmin(context, `/people/${account.username}`, {
    change: async () => void (await setAccount(stores.patrons, account.username, { status: "blocked" })),
    undo: async () => void (await setAccount(stores.patrons, account.username, { status: account.status })),
  });
  // First the row, with which the sweep finishes an interrupted removal.
  const removal = await openRemoval(stores.patrons, {
    username: account.username,
    email: account.email,
    anonymous: newAnonymousName(context),
    due: context.now + REMOVAL_IDLE_MS,
    now: context.now,
  });
  // Before the session of this request ends.
  await audit(context, { event: "account-removed", subject: `/people/${account.username}` });
  await patron.upkeep.seal();
  const effect = await readEffect(context, account, removal.anonymous);
  await removalJob.send(stores, { id: removal.id });
  return effect;
}

/** Starts the removal of what a backup has brought back of a removed account; its rows may be gone. */
export async function removeAgain(
  context: RequestContext,
  username: string,
  account: FoundAccount | undefined,
): Promise<void> {
  if (account !== undefined) return void (await startRemoval(context, account));
  const { stores, now } = context;
  const anonymous = newAnonymousName(context);
  const { id } = await openRemoval(stores.patrons, { username, email: "", anonymous, due: now, now });
  await removalJob.send(stores, { id });
}

function newAnonymousName({ sources }: RequestContext): string {
  return `anonymous-${Buffer.from(sources.newSecret(), "base64url").toString("hex")}`;
}

async function readEffect({ stores }: RequestContext, { username }: FoundAccount, newName: string) {
  const [counts, mergeRequests] = await Promise.all([
    patronOf(stores, username).upkeep.countRows(),
    countMergeRequests(stores.catalog, username),
  ]);
  return {
    new_username: newName,
    booknotes_count: counts.notes,
    ratings_count: counts.ratings,
    observations_count: counts.observations,
    bookshelves_count: counts.shelves,
    merge_request_count: mergeRequests,
    bestbooks_count: counts.awards,
  };
}

export const removeOwnForm = operation({
  id: "removeOwnPage",
  summary: "Show the page for deleting your account",
  tag: "account",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  handle: async (input, context) => removalForm(await readAccountToRemove(input, context)),
});

export function previewRemoval(context: RequestContext, account: FoundAccount): Promise<Anonymized> {
  return readEffect(context, account, newAnonymousName(context));
}

const ANONYMIZE_BODY_BYTES = 16 * KIB;

/** `POST /account/anonymize.json`: removes the account of the keys in `Authorization: LOW <access>:<secret>`. */
export const anonymize = operation({
  id: "anonymize",
  summary: "Delete an account",
  tag: "account",
  form: {
    test: boolean().default(false).describe("Count the rows, without changing them"),
    digest: z.string().default("").describe("Hex HMAC-SHA-256 of `msg` with the shared secret"),
    msg: z.string().default("").describe("Text that ends with a colon and its expiry in Unix seconds"),
  },
  bodyBytes: ANONYMIZE_BODY_BYTES,
  responses: {
    200: { description: "Numbers of affected rows", schema: anonymizedSchema },
    400: { description: "Missing expiry in `msg`, or missing keys" },
    401: { description: "Missing, wrong or expired signature" },
    404: { description: "Unknown keys" },
    503: { description: "No secret configured" },
  },
  async handle({ form: { test, ...message } }, context) {
    requireSigned(context, message);
    const header = context.request.headers.get("Authorization") ?? "";
    const [, access, secret] = /^LOW ([^\s:]+):(\S+)$/.exec(header) ?? [];
    if (access === undefined || secret === undefined) throw failure("bad_request.authorization");
    const result = await identityProvider(context).authenticateKeys(access, secret);
    if (!result.ok) throw notFound();
    const { account: username, subject } = result.identity;
    const { patrons } = context.stores;
    const account = await findAccount(patrons, username === undefined ? { subject } : { username });
    if (account === undefined) throw notFound();
    return privateJson(await (test ? previewRemoval(context, account) : startRemoval(context, account)));
  },
});

/**
 * Checks the signature of the message, whose part after the last colon is its expiry in Unix seconds. Throws 401 if it
 * is wrong or has expired, 400 for a message without a time, 503 if no secret is configured.
 */
function requireSigned({ settings, now }: RequestContext, { digest, msg }: { digest: string; msg: string }) {
  const secret = settings.ANONYMIZE_SECRET;
  if (secret === undefined) throw failure("unavailable.anonymize");
  const expiry = msg.slice(msg.lastIndexOf(":") + 1).trim();
  if (!/^\d+(\.\d+)?$/.test(expiry)) throw failure("bad_request.anonymize");
  if (!isDigest(digest, msg, secret) || Number(expiry) * 1000 < now) {
    throw failure("unauthenticated.anonymize");
  }
}
