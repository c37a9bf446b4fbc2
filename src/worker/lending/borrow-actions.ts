import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { unionCatalogUrl } from "../../catalog/lending/union-catalog.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf, textOf } from "../../catalog/record.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { providersOf } from "../../search/present/providers.ts";
import { lookupConfig } from "../holdings/bundles.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import type { Borrower, LendingRefusal, LendingResult } from "../holdings/service.ts";
import type { RequestContext } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { closeSession } from "../http/session.ts";
import type { BorrowAction, BorrowOutcome } from "./borrow-answer.ts";
import { readerAuthUrl, streamUrl } from "./reader.ts";
import { borrowerOf } from "./reading-right.ts";

/** Parsed request of a borrow route, from the address and the form. */
export interface BorrowWish {
  readonly action: BorrowAction;
  /** Text to search for inside the book. */
  readonly q: string;
  /** Present if the book is to be read aloud. */
  readonly autoReadAloud: string | undefined;
  /** Redirect target, a path on this site; or "". */
  readonly redirect: string;
  /** True if the request may change loans: links can be followed by mistake (Q265). */
  readonly isMeant: boolean;
}

/** Runs a loan request for an edition. Returns the refusal if it is impossible. */
export async function borrow(
  context: RequestContext,
  bundle: EditionBundle,
  wish: BorrowWish,
): Promise<BorrowOutcome> {
  const { action } = wish;
  const places = placesOf(bundle, wish);
  if (action === "locate") return { location: unionCatalogUrl(bundle.edition) };
  const partner = action === "borrow" || action === "read" ? openElsewhere(context, bundle) : undefined;
  if (partner !== undefined) return { location: partner.url, partner: partner.name };
  const ocaid = ocaidOf(bundle.edition);
  if (ocaid === undefined) {
    const message = "This edition has no scan, so it can't be borrowed.";
    return { location: places.back, refusal: { status: 409, error: "not_lendable", message } };
  }
  const stream = streamOf(context, ocaid, wish);
  if (wish.q !== "") {
    return { location: `${stream}#page/-/mode/2up/search/${encodeURIComponent(wish.q)}` };
  }
  // A free edition elsewhere does not open the scan; it only counts if the lending service does not know the scan.
  if (bundle.lending?.isReadable ?? bundle.access === "public") return { location: stream };
  const borrower = await borrowerOf(context);
  if (borrower === undefined) return loginFirst(context, places, wish);
  // All remaining actions change loans.
  if (action !== "read") {
    if (!wish.isMeant) return { location: places.back, isUnmeant: true };
    await requireWritable(context);
  }
  const lending = lendingOf(context);
  switch (action) {
    case "return":
      return givenBack(places, await lending.close(ocaid, borrower), "Book returned");
    case "leave-waitinglist": {
      const message = "Left the waiting list";
      return givenBack(places, await lending.leave(ocaid, borrower), message);
    }
    case "join-waitinglist":
      return queued(places, await lending.join({ ocaid, book: bookOf(bundle, ocaid), borrower }));
    default:
      return read({ context, wish, borrower, ocaid, bundle, places, stream });
  }
}

type Places = ReturnType<typeof placesOf>;

interface Borrowing {
  readonly context: RequestContext;
  readonly wish: BorrowWish;
  readonly borrower: Borrower;
  readonly ocaid: string;
  readonly bundle: EditionBundle;
  readonly places: Places;
  readonly stream: string;
}

/** Returns the edition's page; its key, where messages are shown; and the address to go back to. */
function placesOf({ edition }: EditionBundle, { redirect }: BorrowWish) {
  const page = recordUrl("", edition);
  return { page, key: keyOf(edition) ?? "", back: redirect === "" ? page : redirect };
}

/** Returns the open-access offer of another provider if it is preferred to the scan. */
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

function streamOf(context: RequestContext, ocaid: string, { autoReadAloud }: BorrowWish): string {
  const reads = autoReadAloud === undefined ? "" : "&_autoReadAloud=show";
  return `${streamUrl(context, ocaid)}?ref=ol${reads}`;
}

async function loginFirst(
  context: RequestContext,
  { page }: Places,
  { action, autoReadAloud }: BorrowWish,
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

function givenBack({ back }: Places, result: LendingResult<null>, message: string): BorrowOutcome {
  return result.ok ? { location: back, message } : refusedAt(back, result);
}

function queued({ back }: Places, result: LendingResult<WaitingPlace>): BorrowOutcome {
  if (!result.ok) return refusedAt(back, result);
  const { position, queueLength } = result.value;
  const message = `You're number ${position} of ${queueLength} in line.`;
  return { location: back, message, place: result.value };
}

/** Borrows if requested, and redirects to the reader if the patron has a loan then. */
async function read(borrowing: Borrowing): Promise<BorrowOutcome> {
  const { context, ocaid, borrower, bundle, wish, places, stream } = borrowing;
  const lending = lendingOf(context);
  let loan: Loan | undefined;
  if (wish.action === "borrow" || wish.action === "browse") {
    const book = bookOf(bundle, ocaid);
    const result = await lending.open({ ocaid, book, kind: wish.action, borrower });
    if (!result.ok) {
      // The book's page shows that there are too many loans; the reader's page explains all other refusals.
      return result.reason === "limit" ? refusedAt(places.key, result) : refusedAt(stream, result, true);
    }
    loan = result.value;
  } else {
    // Q268: the loan of the scan counts, through whichever of its editions it was borrowed.
    loan = (await lending.loans(borrower)).find((held) => held.ocaid === ocaid);
  }
  if (loan === undefined) return { location: stream };
  const autoReadAloud = wish.autoReadAloud !== undefined;
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

function refusedAt(location: string, { reason, message }: LendingRefusal, isSilent = false): BorrowOutcome {
  return { location, refusal: { status: 409, error: ERRORS[reason], message, isSilent } };
}
