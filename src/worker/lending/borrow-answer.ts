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
import { providerName } from "../ui/names.ts";
import { readerUrl } from "./reader.ts";

/** Seconds after which the browser is forwarded. */
const FORWARD_SECONDS = 5;

/** Renders a page that names another open-access provider and forwards to it. `url`: as serialized by `URL`. */
function partnerPage(url: string, name: string): Reply {
  const body = markup`<p>${say("borrow.elsewhere", { place: link(url, providerName(name)) })}</p>
<p>${say("borrow.forward", { count: FORWARD_SECONDS })}</p>`;
  return page({
    title: say("borrow.open_elsewhere"),
    body,
    headers: { Refresh: `${FORWARD_SECONDS}; url=${url}` },
  });
}

/** Outcome of a loan request, with the address to go to. */
export interface BorrowOutcome {
  readonly location: string;
  /** Name of the other provider that offers the book to all at this location. */
  readonly partner?: string;
  readonly loan?: Loan;
  /** Username of the loan's patron, as the account spells it. */
  readonly username?: string;
  readonly place?: WaitingPlace;
  /** Nothing was done yet: the patron must confirm the request first. */
  readonly isUnmeant?: true;
  /** Message for the next page. */
  readonly message?: string;
  readonly refusal?: {
    readonly status: 401 | 409;
    readonly error: string;
    readonly message: string;
    /** True if the next page explains the refusal itself. */
    readonly isSilent?: boolean;
  };
}

/** Builds the response: JSON if the client accepts nothing else, otherwise a redirect and a message for its target. */
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
  // Q270: never a permanent redirect, for any action.
  return seeOther(location);
}

/** Actions at the borrow address of a book. */
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
