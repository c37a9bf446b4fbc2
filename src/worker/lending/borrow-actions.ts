import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { toLoanRecord, toWaitingRecord } from "../../catalog/lending/records.ts";
import { unionCatalogUrlOf } from "../../catalog/lending/union-catalog.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf, textOf } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { type Text, english } from "../../catalog/texts.ts";
import { providersOf } from "../../search/present/providers.ts";
import { type RequestContext, lookupConfig } from "../http/operation.ts";
import { wantsJson } from "../http/accept.ts";
import { type FailureKey, failure } from "../http/failure.ts";
import { requireWritable } from "../http/read-only.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { closeSession } from "../http/session.ts";
import { lendingOf } from "./service/lending-of.ts";
import { type LendingRefusal, NOT_LENDABLE } from "./service/lending-service.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { providerName } from "../ui/names.ts";
import { notifyOf } from "../ui/notice.ts";
import { t } from "../ui/words.ts";
import { borrowerOf, readerAuthUrl, readerUrl, streamUrl } from "./reader.ts";

const FORWARD_SECONDS = 5;

/** Renders a page that names another open-access provider and forwards to it. `url`: as serialized by `URL`. */
function partnerPage(url: string, name: string): Reply {
  const body = markup`<p>${t("borrow.elsewhere", { place: link(url, providerName(name)) })}</p>
<p>${t("borrow.forward", { count: FORWARD_SECONDS })}</p>`;
  const headers = { Refresh: `${FORWARD_SECONDS}; url=${url}` };
  return page({ title: t("borrow.open_elsewhere"), body, headers });
}

interface BorrowOutcome {
  location: string;
  /** Name of the other provider that offers the book to all at this location. */
  partner?: string;
  loan?: Loan;
  username?: string;
  place?: WaitingPlace;
  /** True if nothing was done: the patron must confirm the request first. */
  isUnconfirmed?: true;
  text?: Text;
  refusal?: {
    error: string;
    text: Text<FailureKey>;
    /** True if the next page explains the refusal itself. */
    isSilent?: boolean;
  };
}

/** Builds the response: JSON if the client accepts nothing else, otherwise a redirect and a message for its target. */
export function borrowReply(context: RequestContext, action: BorrowAction, outcome: BorrowOutcome): Reply {
  return wantsJson(context.request) ? sendJson(context, action, outcome) : sendRedirect(context, outcome);
}

function sendJson(context: RequestContext, action: BorrowAction, outcome: BorrowOutcome): Reply {
  const { location, loan, username = null, place, refusal } = outcome;
  if (refusal !== undefined) {
    const { error, text } = refusal;
    const body = { error, message: english(text), location };
    throw failure(text.key, text.values, { body, headers: { "Cache-Control": PRIVATE } });
  }
  const names = { username, readerUrl: readerUrl(context) };
  return privateJson({
    status: "ok",
    action,
    location,
    loan: loan === undefined ? null : toLoanRecord(loan, names),
    ...(place === undefined ? {} : { waiting: toWaitingRecord(place, place.patron) }),
  });
}

function sendRedirect(context: RequestContext, { location, partner, text, refusal }: BorrowOutcome) {
  if (partner !== undefined) return partnerPage(location, partner);
  if (text !== undefined) notifyOf(context, "success", text);
  if (refusal !== undefined && refusal.isSilent !== true) notifyOf(context, "error", refusal.text);
  // Q270: never a permanent redirect, for any action.
  return seeOther(location);
}

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

export interface BorrowRequest {
  readonly action: BorrowAction;
  readonly q: string;
  readonly autoReadAloud: string | undefined;
  readonly redirect: string;
  /** False for links, which can be followed by mistake (Q265). */
  readonly mayChangeLoans: boolean;
}

export async function borrow(
  context: RequestContext,
  bundle: EditionBundle,
  request: BorrowRequest,
): Promise<BorrowOutcome> {
  const { action } = request;
  const targets = targetsOf(bundle, request);
  if (action === "locate") return { location: unionCatalogUrlOf(bundle.edition) };
  const partner = action === "borrow" || action === "read" ? openElsewhere(context, bundle) : undefined;
  if (partner !== undefined) return { location: partner.url, partner: partner.name };
  const ocaid = ocaidOf(bundle.edition);
  if (ocaid === undefined) {
    return refuse(targets.back, NOT_LENDABLE);
  }
  const stream = streamOf(context, ocaid, request);
  if (request.q !== "") {
    return { location: `${stream}#page/-/mode/2up/search/${encodeURIComponent(request.q)}` };
  }
  // A free edition elsewhere does not open the scan; it only counts if the lending service does not know the scan.
  if (bundle.lending?.isReadable ?? bundle.access === "public") return { location: stream };
  const borrower = await borrowerOf(context);
  if (borrower === undefined) return requireLogin(context, targets, request);
  // All remaining actions change loans.
  if (action !== "read") {
    if (!request.mayChangeLoans) return { location: targets.back, isUnconfirmed: true };
    await requireWritable(context);
  }
  const lending = lendingOf(context);
  const { username } = borrower;
  const openReader = (loan: Loan): BorrowOutcome => {
    const autoReadAloud = request.autoReadAloud !== undefined;
    return { location: readerAuthUrl(context, loan, { username, autoReadAloud }), loan, username };
  };
  switch (action) {
    case "return": {
      const result = await lending.close(ocaid, borrower);
      if (!result.ok) return refuse(targets.back, result);
      return { location: targets.back, text: { key: "lend.returned" } };
    }
    case "leave-waitinglist": {
      const result = await lending.leave(ocaid, borrower);
      if (!result.ok) return refuse(targets.back, result);
      return { location: targets.back, text: { key: "lend.left" } };
    }
    case "join-waitinglist": {
      const result = await lending.join({ ocaid, book: bookOf(bundle, ocaid), borrower });
      if (!result.ok) return refuse(targets.back, result);
      const { position, queueLength } = result.value;
      const text = { key: "lending.place", values: { place: position, of: queueLength } } as const;
      return { location: targets.back, text, place: result.value };
    }
    case "borrow":
    case "browse": {
      const result = await lending.open({ ocaid, book: bookOf(bundle, ocaid), kind: action, borrower });
      if (result.ok) return openReader(result.value);
      // The book's page shows that there are too many loans; the reader's page explains all other refusals.
      return result.reason === "limit" ? refuse(targets.key, result) : refuse(stream, result, true);
    }
    case "read": {
      // Q268: the loan of the scan counts, through whichever of its editions it was borrowed.
      const loan = (await lending.loans(borrower)).find((row) => row.ocaid === ocaid);
      return loan === undefined ? { location: stream } : openReader(loan);
    }
  }
}

/** Redirect targets: the edition's page; its key, where messages are shown; and the page to go back to. */
type Targets = Readonly<Record<"edition" | "key" | "back", string>>;

function targetsOf({ edition }: EditionBundle, { redirect }: BorrowRequest): Targets {
  const url = recordUrlOf("", edition);
  return { edition: url, key: keyOf(edition) ?? "", back: redirect === "" ? url : redirect };
}

/** Returns the open-access offer of another provider; undefined if the scan is preferred. */
function openElsewhere(context: RequestContext, { edition, access }: EditionBundle) {
  const { archiveUrl } = lookupConfig(context);
  const [best] = providersOf(edition, { access, archiveUrl });
  if (best === undefined || best["provider_name"] === "ia" || best["access"] !== "open-access") {
    return undefined;
  }
  // Records can contain any text.
  const url = URL.parse(textOf(best["url"]) ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { url: url.href, name: textOf(best["provider_name"]) ?? url.host };
}

function streamOf(context: RequestContext, ocaid: string, { autoReadAloud }: BorrowRequest): string {
  const reads = autoReadAloud === undefined ? "" : "&_autoReadAloud=show";
  return `${streamUrl(context, ocaid)}?ref=ol${reads}`;
}

/** Redirects to the login. A session without an account ends. */
async function requireLogin(
  context: RequestContext,
  { edition }: Targets,
  { action, autoReadAloud }: BorrowRequest,
): Promise<BorrowOutcome> {
  await closeSession(context);
  const reads = autoReadAloud === undefined ? "" : `&_autoReadAloud=${encodeURIComponent(autoReadAloud)}`;
  const target = encodeURIComponent(`${edition}/borrow?action=${action}`);
  return {
    location: `/account/login?redirect=${target}${reads}`,
    refusal: { error: "login_required", text: { key: "unauthenticated.borrow" }, isSilent: true },
  };
}

function bookOf({ edition }: EditionBundle, ocaid: string): string {
  return keyOf(edition) ?? `/books/ia:${ocaid}`;
}

const ERRORS = {
  limit: "loan_limit",
  taken: "not_available",
  "not-lendable": "not_lendable",
  "not-held": "not_held",
  unavailable: "not_possible",
} as const;

function refuse(location: string, { reason, text }: LendingRefusal, isSilent = false): BorrowOutcome {
  return { location, refusal: { error: ERRORS[reason], text, isSilent } };
}
