import { EMAIL_LENGTH_MAX, isEmail } from "../../catalog/accounts.ts";
import { deleteLink, updatePassword } from "../../db/accounts/write-secrets.ts";
import { activatePending, addTag, removeTag, setAccount } from "../../db/accounts/write-accounts.ts";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import { newPasswordProblem } from "../accounts/availability.ts";
import { replaceEmail } from "../accounts/email.ts";
import { unlessLastAdmin } from "../accounts/last-admin.ts";
import { makeAccountRecords } from "../accounts/authentication.ts";
import { hashPassword } from "../accounts/password-hash.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import { type AuditEntry, audit } from "../platform/audit.ts";
import { type Anonymized, previewRemoval, startRemoval } from "../patrons/data/removal.ts";
import { type Reverted, revertEdits } from "./revert-edits.ts";

export const ACCOUNT_TAG_LENGTH = 100;

interface ActionFields {
  email?: string | undefined;
  password?: string | undefined;
  bot?: boolean | undefined;
  tag?: string | undefined;
  dry_run?: boolean | undefined;
}

export type ActionResult = Reverted | Anonymized;

type RunAction = (
  context: RequestContext,
  account: FoundAccount,
  fields: ActionFields,
) => Promise<ActionResult | void>;

const ACTIONS = {
  /**
   * Bars the patron and marks the account as blocked. An interruption after any step is safe: a barred patron has no
   * session and gets none, and a login checks the status. The bar comes first because it ends the sessions.
   */
  block_account: (context, account) =>
    unlessLastAdmin(context, `/people/${account.username}`, {
      async change() {
        const { stores, sources } = context;
        const patron = patronOf(stores, account.username);
        await patron.bar(true);
        await setAccount(stores.patrons, account.username, { status: "blocked" });
        // A concurrent login that has seen the old status opens no session after the bar has been lifted.
        await patron.closeSessions("", sources.now());
      },
      undo: () => unblockAccount(context, account),
    }),
  unblock_account: unblockAccount,
  async block_account_and_revert(context, account) {
    // Blocks first, so that no further edits arrive during the revert.
    await runAccountAction(context, account, { action: "block_account" });
    const author = `/people/${account.username}`;
    const data = { reverted_author: author };
    return revertEdits(context, { author }, { kind: "bulk-revert-spam", comment: "Delete spam", data });
  },
  /** Confirms an account in place of its owner; creates its records, too. */
  async activate_account(context, { username, displayname, status, hasRecords, specialAccess }) {
    const { patrons } = context.stores;
    if (status === "blocked") throw failure("bad_data.account_blocked");
    await activatePending(patrons, username);
    await deleteLink(patrons, username, "verify");
    const created = !hasRecords;
    await makeAccountRecords(context, { ok: true, username, displayname, created, specialAccess });
  },
  async update_email(context, account, { email = "" }) {
    const address = email.trim();
    if (address.length > EMAIL_LENGTH_MAX || !isEmail(address)) throw failure("bad_data.email");
    const outcome = await replaceEmail(context, account, address);
    if (outcome === "missing") throw notFound();
    if (outcome === "taken") throw failure("bad_data.email_taken");
  },
  async update_password(context, { username }, { password = "" }) {
    const problem = newPasswordProblem(context, password, { username });
    if (password === "") throw failure("bad_data.missing_value", { name: "password" });
    if (problem !== undefined) throw failure(problem.text.key, problem.text.values);
    await setPassword(context, username, password);
  },
  async set_bot_flag({ stores }, { username }, { bot }) {
    if (bot === undefined) throw failure("bad_data.missing_value", { name: "bot" });
    await setAccount(stores.patrons, username, { bot });
  },
  async add_tag({ stores }, { username, tags }, fields) {
    const tag = tagOf(fields);
    const isAdded = await addTag(stores.patrons, username, tag);
    if (!isAdded && !tags.includes(tag)) throw failure("bad_data.account_tags");
  },
  async remove_tag({ stores }, { username }, fields) {
    await removeTag(stores.patrons, username, tagOf(fields));
  },
  async close_sessions({ stores, sources }, { username }) {
    await patronOf(stores, username).closeSessions("", sources.now());
  },
  anonymize_account: (context, account, { dry_run: isPreview = false }) =>
    isPreview ? previewRemoval(context, account) : startRemoval(context, account),
} satisfies Readonly<Record<string, RunAction>>;
type AccountAction = keyof typeof ACTIONS;

// The table has no other keys.
export const ACCOUNT_ACTIONS = Object.keys(ACTIONS) as AccountAction[];

/** Audit events of the actions; actions that are absent write events of their own. */
const AUDITED: Readonly<Partial<Record<AccountAction, AuditEntry["event"]>>> = {
  block_account: "account-blocked",
  unblock_account: "account-unblocked",
  activate_account: "account-activated",
  update_email: "email-changed",
  update_password: "password-changed",
  set_bot_flag: "account-changed",
  add_tag: "account-changed",
  remove_tag: "account-changed",
  close_sessions: "sessions-ended",
};

/** Runs an action on an account and returns its report. Throws 400 with the reason if the action is impossible. */
export async function runAccountAction(
  context: RequestContext,
  account: FoundAccount,
  { action, ...fields }: ActionFields & { action: AccountAction },
): Promise<ActionResult | undefined> {
  const run: RunAction = ACTIONS[action];
  const result = (await run(context, account, fields)) ?? undefined;
  const event = AUDITED[action];
  if (event !== undefined) {
    await audit(context, { event, subject: `/people/${account.username}`, details: { action } });
  }
  return result;
}

/** Makes a blocked account usable again. An unconfirmed account stays unconfirmed. */
async function unblockAccount({ stores }: RequestContext, { username, status }: FoundAccount): Promise<void> {
  if (status !== "pending") await setAccount(stores.patrons, username, { status: "active" });
  await patronOf(stores, username).bar(false);
}

/** Sets the password of an account. Links, keys and sessions made before become void. */
export async function setPassword({ stores, sources }: RequestContext, username: string, password: string) {
  await updatePassword(stores.patrons, { username, passwordHash: await hashPassword(password) });
  await patronOf(stores, username).closeSessions("", sources.now());
}

function tagOf({ tag = "" }: ActionFields): string {
  const text = tag.trim();
  if (text === "" || text.length > ACCOUNT_TAG_LENGTH) throw failure("bad_data.account_tag");
  return text;
}
