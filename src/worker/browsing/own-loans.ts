import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import type { RequestContext } from "../context.ts";
import { lendingOf } from "../lending/lending-of.ts";
import { logLine, loggable } from "../log.ts";
import { askingSession } from "../sessions/asking-session.ts";

/** Q510: what the patron who looks at a page has borrowed, and waits for, by the id of the scan. */
export interface OwnLoans {
  readonly loans: ReadonlyMap<string, Loan>;
  readonly places: ReadonlyMap<string, WaitingPlace>;
}

/** What somebody without a session has. */
export const NO_LOANS: OwnLoans = { loans: new Map(), places: new Map() };

/**
 * What the patron of the session has of scans; nothing when lending does not answer, as the page shows other things too.
 * Without a session, and without scans, nobody is asked.
 */
export async function ownLoans(context: RequestContext, ocaids: readonly string[]): Promise<OwnLoans> {
  const session = ocaids.length === 0 ? undefined : await askingSession(context);
  if (session === undefined) return NO_LOANS;
  const { username } = session;
  try {
    const lending = lendingOf(context);
    const [loans, places] = await Promise.all([
      lending.loans({ username }),
      lending.places({ borrower: { username }, among: ocaids }),
    ]);
    return { loans: byScan(loans), places: byScan(places) };
  } catch (thrown) {
    const { requestId, url } = context;
    logLine("error", "lending", { requestId, path: url.pathname, error: String(loggable(thrown)) });
    return NO_LOANS;
  }
}

function byScan<Held extends { readonly ocaid: string }>(all: readonly Held[]): ReadonlyMap<string, Held> {
  return new Map(all.map((one) => [one.ocaid, one]));
}
