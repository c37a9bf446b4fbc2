import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../../db/accounts/read.ts";
import { readKnownSubjects } from "../../../db/patrons/known-subjects.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import type { RequestContext } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";

/** Time budget of one call, in milliseconds; the patron under way is finished. */
const RESEND_CALL_MS = 1000;

/**
 * Makes the objects of patrons after `after` resend everything they hold, and retract everything that the projections
 * have but they do not. For rebuilding projections; it changes nothing where they are right. Returns the number of
 * patrons, and the last one in lower case.
 */
export async function resendActivity(
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
  after: string,
) {
  const deadline = sources.now() + RESEND_CALL_MS;
  let [last, patrons] = [after, 0];
  for (;;) {
    const accounts = await listAccounts(stores.patrons, { prefix: "", after: last });
    for (const { usernameFolded } of accounts) {
      if (sources.now() >= deadline && patrons > 0) return { after: last, patrons, finished: false };
      await resendOne({ stores }, usernameFolded);
      last = usernameFolded;
      patrons += 1;
    }
    if (accounts.length < LISTED_ACCOUNTS_MAX) return { after: last, patrons, finished: true };
  }
}

/** Resends the activity of one patron, by username in lower case. */
export async function resendOne({ stores }: Pick<RequestContext, "stores">, patron: string): Promise<void> {
  const known = await readKnownSubjects(stores.patrons, patron);
  // The removal of an account deletes its rows.
  await unlessRemoved(patronOf(stores, patron).upkeep.resendAll(known));
}
