import { setStatus } from "../../db/patrons/update-account.ts";
import type { FoundAccount } from "../../db/patrons/find-account.ts";
import type { RequestContext } from "../context.ts";
import { patronOf } from "../sessions/session.ts";
import { keepingAnAdmin } from "./last-admin.ts";

/** Blocks an account and ends its sessions; nothing when that is so already. Throws 400 for the last administrator. */
export async function blockAccount(context: RequestContext, account: FoundAccount): Promise<void> {
  await keepingAnAdmin(context, `/people/${account.username}`, {
    change: () => block(context, account),
    undo: () => unblock(context, account),
  });
}

/** Lets a blocked account be used again. An account that waits for its confirmation goes on waiting. */
export async function unblockAccount(context: RequestContext, account: FoundAccount): Promise<void> {
  await unblock(context, account);
}

/**
 * Whatever this breaks off at is safe: somebody who is barred has no session and gets none, and the status is looked at
 * when he logs in. The bar comes first, because it is what ends sessions.
 */
async function block({ stores, sources }: RequestContext, { username }: FoundAccount): Promise<void> {
  const patron = patronOf(stores, username);
  await patron.bar(true);
  await setStatus(stores.patrons, username, "blocked");
  // A login that has seen the status before opens no session after somebody has lifted the bar.
  await patron.closeSessions("", sources.now());
}

async function unblock({ stores }: RequestContext, { username, status }: FoundAccount): Promise<void> {
  if (status !== "pending") await setStatus(stores.patrons, username, "active");
  await patronOf(stores, username).bar(false);
}
