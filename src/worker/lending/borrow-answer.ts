import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { loanRecord, waitingRecord } from "../../catalog/lending/records.ts";
import { wantsJson } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import { setFlash } from "../http/pages/flash.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { providerName } from "../ui/provider-name.ts";
import { readerUrl } from "./reader.ts";

/** After how many seconds somebody is led on by himself. */
const FORWARD_SECONDS = 5;

/** Says that a book is open to everybody elsewhere, and leads there. `url`: as `URL` writes it. */
function partnerPage(url: string, name: string): Reply {
  const body = markup`<p>${say("borrow.elsewhere", { place: link(url, providerName(name)) })}</p>
<p>${say("borrow.forward", { count: FORWARD_SECONDS })}</p>`;
  return page({
    title: say("borrow.open_elsewhere"),
    body,
    headers: { Refresh: `${FORWARD_SECONDS}; url=${url}` },
  });
}

/** What became of a wish, and where to go on. */
export interface BorrowOutcome {
  readonly location: string;
  /** Name of somebody else who offers the book to everybody at this location. */
  readonly partner?: string;
  readonly loan?: Loan;
  /** Of the loan's patron, as the account spells it. */
  readonly username?: string;
  readonly place?: WaitingPlace;
  /** Nothing was done: it is to be asked first whether it is meant. */
  readonly isUnmeant?: true;
  /** What is to be said on the next page. */
  readonly message?: string;
  readonly refusal?: {
    readonly status: 401 | 409;
    readonly error: string;
    readonly message: string;
    /** The next page says it in its own words. */
    readonly isSilent?: boolean;
  };
}

/** The answer to a wish: JSON where nothing else is taken, else a redirect with a message for the next page. */
export function borrowReply(context: RequestContext, action: BorrowAction, outcome: BorrowOutcome): Reply {
  return wantsJson(context.request) ? asJson(context, action, outcome) : asRedirect(context, outcome);
}

function asJson(context: RequestContext, action: BorrowAction, outcome: BorrowOutcome): Reply {
  const { location, loan, username = null, place, refusal } = outcome;
  if (refusal !== undefined) {
    const { status, error, message } = refusal;
    throw new CarrelError(status, error, {
      message,
      body: { error, message, location },
      headers: { "Cache-Control": PRIVATE },
    });
  }
  const names = { username, readerUrl: readerUrl(context) };
  return privateJson({
    status: "ok",
    action,
    location,
    loan: loan === undefined ? null : loanRecord(loan, names),
    ...(place === undefined ? {} : { waiting: waitingRecord(place, place.patron) }),
  });
}

function asRedirect(context: RequestContext, { location, partner, message, refusal }: BorrowOutcome): Reply {
  if (partner !== undefined) return partnerPage(location, partner);
  if (message !== undefined) setFlash(context, { type: "success", message });
  if (refusal !== undefined && refusal.isSilent !== true) {
    setFlash(context, { type: "error", message: refusal.message });
  }
  // Q270: never for good, whatever was done.
  return seeOther(location);
}

/** What somebody can wish for at the address of a book. */
export const BORROW_ACTIONS = [
  "borrow",
  "browse",
  "read",
  "return",
  "join-waitinglist",
  "leave-waitinglist",
  "locate",
] as const;

export type BorrowAction = (typeof BORROW_ACTIONS)[number];
