import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../../db/accounts/read.ts";
import { readKnownSubjects } from "../../../db/patrons/known-subjects.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import type { RequestContext } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";

/** How long one call goes on, in milliseconds; the patron under way is finished. */
const RESEND_CALL_MS = 1000;

/**
 * Has the objects of patrons after one send all that they hold, and tell what they hold no more of what projections have.
 * For projections that are made anew; it changes nothing where they are right. Returns how many did, and the last one in
 * lower case.
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

/** The same of one patron, by username in lower case. */
export async function resendOne({ stores }: Pick<RequestContext, "stores">, patron: string): Promise<void> {
  const known = await readKnownSubjects(stores.patrons, patron);
  // Whoever removes the account takes care of its rows.
  await unlessRemoved(patronOf(stores, patron).upkeep.resendAll(known));
}
