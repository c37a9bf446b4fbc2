import { EMAIL_LENGTH_MAX, isEmail } from "../../catalog/accounts.ts";
import { deleteLink, updatePassword } from "../../db/accounts/write-secrets.ts";
import { activatePending, addTag, removeTag, setAccount, updateEmail } from "../../db/accounts/write.ts";
import type { FoundAccount } from "../../db/accounts/read.ts";
import { newPasswordProblem } from "../accounts/availability.ts";
import { unlessLastAdmin } from "../accounts/last-admin.ts";
import { makeAccountRecords } from "../accounts/authentication.ts";
import { hashPassword } from "../accounts/password-hash.ts";
import { badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { type Anonymized, previewRemoval, startRemoval } from "../patrons/data/removal.ts";
import { type Reverted, revertEdits } from "./revert-edits.ts";

/** Longest tag of an account, in UTF-16 units. */
export const ACCOUNT_TAG_LENGTH = 100;

/** What some actions need besides their name. */
interface ActionFields {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly bot?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

/** What some actions tell besides that they are done. */
export type ActionResult = Reverted | Anonymized;

type Do = (
  context: RequestContext,
  account: FoundAccount,
  fields: ActionFields,
) => Promise<ActionResult | void>;

/** What administrators do to an account. */
const ACTIONS = {
  block_account: blockAccount,
  unblock_account: unblockAccount,
  block_account_and_revert: blockAndRevert,
  activate_account: activate,
  update_email: changeEmail,
  update_password: changePassword,
  set_bot_flag: setBotFlag,
  add_tag: tagAccount,
  remove_tag: untagAccount,
  close_sessions: closeSessions,
  anonymize_account: anonymizeAccount,
} satisfies Readonly<Record<string, Do>>;
export type AccountAction = keyof typeof ACTIONS;

/** The names of what can be done. */
// Those of the table's own members.
export const ACCOUNT_ACTIONS = Object.keys(ACTIONS) as AccountAction[];

/** Does something to an account; what there is to tell of it. Throws 400 with the reason why it cannot be done. */
export async function doToAccount(
  context: RequestContext,
  account: FoundAccount,
  { action, ...fields }: ActionFields & { readonly action: AccountAction },
): Promise<ActionResult | undefined> {
  const act: Do = ACTIONS[action];
  return (await act(context, account, fields)) ?? undefined;
}

/** Blocks an account and ends its sessions; nothing when that is so already. Throws 400 for the last administrator. */
async function blockAccount(context: RequestContext, account: FoundAccount): Promise<void> {
  await unlessLastAdmin(context, `/people/${account.username}`, {
    change: () => block(context, account),
    undo: () => unblockAccount(context, account),
  });
}

/**
 * Whatever this breaks off at is safe: somebody who is barred has no session and gets none, and the status is looked at
 * when he logs in. The bar comes first, because it is what ends sessions.
 */
async function block({ stores, sources }: RequestContext, { username }: FoundAccount): Promise<void> {
  const patron = patronOf(stores, username);
  await patron.bar(true);
  await setAccount(stores.patrons, username, { status: "blocked" });
  // A login that has seen the status before opens no session after somebody has lifted the bar.
  await patron.closeSessions("", sources.now());
}

/** Lets a blocked account be used again. An account that waits for its confirmation goes on waiting. */
async function unblockAccount({ stores }: RequestContext, { username, status }: FoundAccount): Promise<void> {
  if (status !== "pending") await setAccount(stores.patrons, username, { status: "active" });
  await patronOf(stores, username).bar(false);
}

async function blockAndRevert(context: RequestContext, account: FoundAccount): Promise<Reverted> {
  // First, so that nothing more comes while the rest is taken back.
  await blockAccount(context, account);
  const author = `/people/${account.username}`;
  return revertEdits(
    context,
    { author },
    { kind: "bulk-revert-spam", comment: "Delete spam", data: { reverted_author: author } },
  );
}

/** Confirms an account whose owner has not followed the link in his mail; its records are made, too. */
async function activate(context: RequestContext, account: FoundAccount): Promise<void> {
  const { patrons } = context.stores;
  const { username, displayname, status, hasRecords, specialAccess } = account;
  if (status === "blocked") throw badData("the account is blocked; unblock_account lifts that");
  await activatePending(patrons, username);
  await deleteLink(patrons, username, "verify");
  await makeAccountRecords(context, {
    ok: true,
    username,
    displayname,
    created: !hasRecords,
    specialAccess,
  });
}

async function changeEmail(
  { stores: { patrons } }: RequestContext,
  { username }: FoundAccount,
  { email = "" }: ActionFields,
): Promise<void> {
  const address = email.trim();
  if (address.length > EMAIL_LENGTH_MAX || !isEmail(address)) throw badData("Bad e-mail address");
  const outcome = await updateEmail(patrons, { username, email: address });
  if (outcome === "taken") throw badData("There is another account with this e-mail address.");
  // A link that was mailed to the address before must not open the account.
  await deleteLink(patrons, username, "password");
}

async function changePassword(
  context: RequestContext,
  { username }: FoundAccount,
  { password = "" }: ActionFields,
): Promise<void> {
  const { stores, sources } = context;
  const problem = newPasswordProblem(context, password);
  if (password === "" || problem !== undefined) throw badData(problem?.message ?? "missing password");
  await updatePassword(stores.patrons, { username, passwordHash: await hashPassword(password) });
  await deleteLink(stores.patrons, username, "password");
  await patronOf(stores, username).closeSessions("", sources.now());
}

async function setBotFlag(
  { stores }: RequestContext,
  { username }: FoundAccount,
  { bot }: ActionFields,
): Promise<void> {
  if (bot === undefined) throw badData("missing bot");
  await setAccount(stores.patrons, username, { bot });
}

async function tagAccount(
  { stores }: RequestContext,
  { username, tags }: FoundAccount,
  fields: ActionFields,
): Promise<void> {
  const tag = tagOf(fields);
  const isAdded = await addTag(stores.patrons, username, tag);
  if (!isAdded && !tags.includes(tag)) throw badData("the account has too many tags");
}

async function untagAccount(
  { stores }: RequestContext,
  { username }: FoundAccount,
  fields: ActionFields,
): Promise<void> {
  await removeTag(stores.patrons, username, tagOf(fields));
}

function tagOf({ tag = "" }: ActionFields): string {
  const text = tag.trim();
  if (text === "" || text.length > ACCOUNT_TAG_LENGTH) throw badData("Bad tag");
  return text;
}

async function closeSessions({ stores, sources }: RequestContext, { username }: FoundAccount): Promise<void> {
  await patronOf(stores, username).closeSessions("", sources.now());
}

async function anonymizeAccount(
  context: RequestContext,
  account: FoundAccount,
  { dry_run: isPreview = false }: ActionFields,
): Promise<Anonymized> {
  return isPreview ? previewRemoval(context, account) : startRemoval(context, account);
}
