import type { Loan } from "../../catalog/lending/loan.ts";
import { unionCatalogUrl } from "../../catalog/lending/union-catalog.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf, textOf } from "../../catalog/record.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { providersOf } from "../../search/present/providers.ts";
import { lookupConfig } from "../holdings/bundles.ts";
import { lendingOf } from "../lending/lending-of.ts";
import type { Borrower, LendingRefusal } from "../lending/service.ts";
import type { RequestContext } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { closeSession } from "../http/session.ts";
import type { BorrowAction, BorrowOutcome } from "./borrow-answer.ts";
import { readerAuthUrl, streamUrl } from "./reader.ts";
import { borrowerOf } from "./reader.ts";

/** Parsed request of a borrow route, from the address and the form. */
export interface BorrowRequest {
  readonly action: BorrowAction;
  /** Text to search for inside the book. */
  readonly q: string;
  /** Present if the book is to be read aloud. */
  readonly autoReadAloud: string | undefined;
  /** Redirect target, a path on this site; or "". */
  readonly redirect: string;
  /** False for links, which can be followed by mistake (Q265). */
  readonly mayChangeLoans: boolean;
}

/** Runs a loan request for an edition. Returns the refusal if it is impossible. */
export async function borrow(
  context: RequestContext,
  bundle: EditionBundle,
  request: BorrowRequest,
): Promise<BorrowOutcome> {
  const { action } = request;
  const targets = targetsOf(bundle, request);
  if (action === "locate") return { location: unionCatalogUrl(bundle.edition) };
  const partner = action === "borrow" || action === "read" ? openElsewhere(context, bundle) : undefined;
  if (partner !== undefined) return { location: partner.url, partner: partner.name };
  const ocaid = ocaidOf(bundle.edition);
  if (ocaid === undefined) {
    const message = "This edition has no scan, so it cannot be borrowed.";
    return { location: targets.back, refusal: { status: 409, error: "not_lendable", message } };
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
  switch (action) {
    case "return": {
      const result = await lending.close(ocaid, borrower);
      if (!result.ok) return refuse(targets.back, result);
      return { location: targets.back, message: "The book is returned. Thank you!" };
    }
    case "leave-waitinglist": {
      const result = await lending.leave(ocaid, borrower);
      if (!result.ok) return refuse(targets.back, result);
      return { location: targets.back, message: "You do not wait for this book any more." };
    }
    case "join-waitinglist": {
      const result = await lending.join({ ocaid, book: bookOf(bundle, ocaid), borrower });
      if (!result.ok) return refuse(targets.back, result);
      const { position, queueLength } = result.value;
      const message = `You wait for this book. Your place is ${position} of ${queueLength}.`;
      return { location: targets.back, message, place: result.value };
    }
    default:
      return read({ context, request, borrower, ocaid, bundle, targets, stream });
  }
}

/** Redirect targets: the edition's page; its key, where messages are shown; and the page to go back to. */
type Targets = Readonly<Record<"page" | "key" | "back", string>>;

function targetsOf({ edition }: EditionBundle, { redirect }: BorrowRequest): Targets {
  const page = recordUrl("", edition);
  return { page, key: keyOf(edition) ?? "", back: redirect === "" ? page : redirect };
}

/** Returns the open-access offer of another provider; undefined if the scan is preferred. */
function openElsewhere(
  context: RequestContext,
  { edition, access }: EditionBundle,
): { url: string; name: string } | undefined {
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
  { page }: Targets,
  { action, autoReadAloud }: BorrowRequest,
): Promise<BorrowOutcome> {
  await closeSession(context);
  const reads = autoReadAloud === undefined ? "" : `&_autoReadAloud=${encodeURIComponent(autoReadAloud)}`;
  const target = encodeURIComponent(`${page}/borrow?action=${action}`);
  const message = "Please log in to borrow books.";
  return {
    location: `/account/login?redirect=${target}${reads}`,
    refusal: { status: 401, error: "login_required", message, isSilent: true },
  };
}

/** Borrows if requested, and redirects to the reader if the patron has a loan then. */
async function read({
  context,
  request,
  borrower,
  ocaid,
  bundle,
  targets,
  stream,
}: {
  context: RequestContext;
  request: BorrowRequest;
  borrower: Borrower;
  ocaid: string;
  bundle: EditionBundle;
  targets: Targets;
  stream: string;
}): Promise<BorrowOutcome> {
  const lending = lendingOf(context);
  let loan: Loan | undefined;
  if (request.action === "borrow" || request.action === "browse") {
    const book = bookOf(bundle, ocaid);
    const result = await lending.open({ ocaid, book, kind: request.action, borrower });
    if (!result.ok) {
      // The book's page shows that there are too many loans; the reader's page explains all other refusals.
      return result.reason === "limit" ? refuse(targets.key, result) : refuse(stream, result, true);
    }
    loan = result.value;
  } else {
    // Q268: the loan of the scan counts, through whichever of its editions it was borrowed.
    loan = (await lending.loans(borrower)).find((row) => row.ocaid === ocaid);
  }
  if (loan === undefined) return { location: stream };
  const autoReadAloud = request.autoReadAloud !== undefined;
  const location = readerAuthUrl(context, loan, { username: borrower.username, autoReadAloud });
  return { location, loan, username: borrower.username };
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

function refuse(location: string, { reason, message }: LendingRefusal, isSilent = false): BorrowOutcome {
  return { location, refusal: { status: 409, error: ERRORS[reason], message, isSilent } };
}
