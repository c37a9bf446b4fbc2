import * as z from "zod";
import { type BorrowAction, type Loan, BORROW_ACTIONS } from "../../catalog/lending/loan.ts";
import { toLoanRecord, toWaitingRecord } from "../../catalog/lending/records.ts";
import { unionCatalogUrlOf } from "../../catalog/lending/union-catalog.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf, textOf } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { type Text, type TextKey, english } from "../../catalog/texts.ts";
import { providersOf } from "../../search/present/providers.ts";
import { editionOfAddress } from "../lookup/editions/bundles.ts";
import { type RequestContext, type Values, baseUrl, lookupConfig } from "../http/operation.ts";
import { wantsJson } from "../http/accept.ts";
import { type FailureKey, failure } from "../http/failure.ts";
import { requireWritable } from "../http/read-only.ts";
import { isLocalPath, isOwnLink, sitePath } from "../http/redirect-target.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { closeSession } from "../http/session.ts";
import { lendingOf } from "./service/lending-of.ts";
import { type Borrower, type LendingRefusal, NOT_LENDABLE } from "./service/lending-service.ts";
import { notifyOf } from "../ui/notice.ts";
import { confirmPage, partnerPage } from "./borrow-page.ts";
import { borrowerOf, readerAuthUrl, readerUrl, streamUrl } from "./reader.ts";

/** Longest text to search for inside a book, and longest redirect target, in characters. */
const BORROW_TEXT_LENGTH = 2000;
/** Longest percent-encoded text: redirects contain all texts, and clients read headers of 16 KB. */
const BORROW_ENCODED_LENGTH = 4000;

const text = z
  .string()
  .max(BORROW_TEXT_LENGTH)
  .refine((value) => encodeURIComponent(value.toWellFormed()).length <= BORROW_ENCODED_LENGTH, {
    error: "validation.borrow_text" satisfies TextKey,
    params: { values: { most: BORROW_ENCODED_LENGTH } },
  });
export const BORROW_PARAMETERS = {
  action: z.enum(BORROW_ACTIONS).optional().describe("Action; default `borrow`"),
  format: z.string().optional().describe("Ignored"),
  _autoReadAloud: text.optional().describe("Present: read the book aloud"),
  q: text.optional().describe("Text to search for inside the book"),
  redirect: text.optional().describe("Path on this site to go to afterwards"),
};

/** Borrows, returns or reads the edition of an address, or sends the client to another place that has it. */
export async function borrowAt(
  context: RequestContext,
  olid: string,
  { action = "borrow", q = "", ...values }: Partial<Values<typeof BORROW_PARAMETERS>>,
): Promise<Reply> {
  const { request, settings, url } = context;
  const bundle = await editionOfAddress(context, olid, { withLoans: true });
  const { edition, access, lending } = bundle;
  const redirect = localTarget(values.redirect ?? "", context);
  const address = recordUrlOf("", edition);
  const back = redirect === "" ? address : redirect;
  if (action === "locate") return answer(context, action, { location: unionCatalogUrlOf(edition) });
  const partner = action === "borrow" || action === "read" ? openElsewhere(context, bundle) : undefined;
  if (partner !== undefined) {
    const location = partner.href;
    return wantsJson(request) ? answer(context, action, { location }) : partnerPage(location, partner.name);
  }
  const ocaid = ocaidOf(edition);
  if (ocaid === undefined) return refuse(context, back, NOT_LENDABLE);
  const { _autoReadAloud: autoReadAloud } = values;
  const stream = `${streamUrl(context, ocaid)}?ref=ol${autoReadAloud === undefined ? "" : "&_autoReadAloud=show"}`;
  const words = q.trim();
  if (words !== "") {
    const location = `${stream}#page/-/mode/2up/search/${encodeURIComponent(words)}`;
    return answer(context, action, { location });
  }
  // A free edition elsewhere does not open the scan; it only counts if the lending service does not know the scan.
  if (lending?.isReadable ?? access === "public") return answer(context, action, { location: stream });
  const borrower = await borrowerOf(context);
  if (borrower === undefined) {
    // A session without an account ends.
    await closeSession(context);
    const target = encodeURIComponent(`${address}/borrow?action=${action}`);
    const reads = autoReadAloud === undefined ? "" : `&_autoReadAloud=${encodeURIComponent(autoReadAloud)}`;
    const login = `/account/login?redirect=${target}${reads}`;
    const refusal = { reason: "login", text: { key: "unauthenticated.borrow" } } as const;
    return refuse(context, login, refusal, { isSilent: true });
  }
  // Every action that is left changes loans, except for reading.
  if (action !== "read") {
    // Q265: links from other sites can be followed by mistake.
    const isOwnRead = settings.BORROW_GET_WRITES && request.method === "GET" && isOwnLink(context);
    if (request.method !== "POST" && !isOwnRead) {
      if (wantsJson(request)) throw failure("forbidden.post");
      const here = url.pathname;
      return confirmPage({ action, redirect, autoReadAloud, here, readerUrl: readerUrl(context) });
    }
    await requireWritable(context);
  }
  return actOnLoan(context, action, { edition, ocaid, borrower, back, stream, autoReadAloud });
}

/** Returns a redirect target without scheme and host, so that clients are not sent to another site. */
function localTarget(redirect: string, context: RequestContext): string {
  const target = redirect === "" ? undefined : sitePath(redirect, baseUrl(context));
  return target !== undefined && isLocalPath(target) ? target : "";
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
  return { href: url.href, name: textOf(best["provider_name"]) ?? url.host };
}

interface LoanTarget {
  readonly edition: EditionBundle["edition"];
  readonly ocaid: string;
  readonly borrower: Borrower;
  /** Pages to go to: the one before, and the reader of the scan. */
  readonly back: string;
  readonly stream: string;
  readonly autoReadAloud: string | undefined;
}

async function actOnLoan(
  context: RequestContext,
  action: Exclude<BorrowAction, "locate">,
  { edition, ocaid, borrower, back, stream, autoReadAloud }: LoanTarget,
): Promise<Reply> {
  const lending = lendingOf(context);
  const book = keyOf(edition) ?? `/books/ia:${ocaid}`;
  const { username } = borrower;
  let loan: Loan | undefined;
  switch (action) {
    case "return": {
      const result = await lending.close(ocaid, borrower);
      if (!result.ok) return refuse(context, back, result);
      return answer(context, action, { location: back, text: { key: "lend.returned" } });
    }
    case "leave-waitinglist": {
      const result = await lending.leave(ocaid, borrower);
      if (!result.ok) return refuse(context, back, result);
      return answer(context, action, { location: back, text: { key: "lend.left" } });
    }
    case "join-waitinglist": {
      const result = await lending.join({ ocaid, book, borrower });
      if (!result.ok) return refuse(context, back, result);
      const { position: place, queueLength: of, patron } = result.value;
      const waiting = toWaitingRecord(result.value, patron);
      return answer(context, action, {
        location: back,
        text: { key: "lending.place", values: { place, of } },
        members: { waiting },
      });
    }
    case "borrow":
    case "browse": {
      const result = await lending.open({ ocaid, book, kind: action, borrower });
      if (!result.ok) {
        // The book's page shows that there are too many loans; the reader's page explains all other refusals.
        const isLimit = result.reason === "limit";
        return refuse(context, isLimit ? (keyOf(edition) ?? "") : stream, result, { isSilent: !isLimit });
      }
      loan = result.value;
      break;
    }
    case "read":
      // Q268: the loan of the scan counts, through whichever of its editions it was borrowed.
      loan = (await lending.loans(borrower)).find((row) => row.ocaid === ocaid);
      if (loan === undefined) return answer(context, action, { location: stream });
  }
  const location = readerAuthUrl(context, loan, { username, autoReadAloud: autoReadAloud !== undefined });
  const record = toLoanRecord(loan, { username, readerUrl: readerUrl(context) });
  return answer(context, action, { location, members: { loan: record } });
}

/** Answers JSON if the client accepts nothing else, otherwise a redirect and a message for its target. */
function answer(
  context: RequestContext,
  action: BorrowAction,
  { location, text: notice, members }: { location: string; text?: Text; members?: object },
): Reply {
  if (wantsJson(context.request)) {
    return privateJson({ status: "ok", action, location, loan: null, ...members });
  }
  if (notice !== undefined) notifyOf(context, "success", notice);
  // Q270: never a permanent redirect, for any action.
  return seeOther(location);
}

const ERRORS = {
  limit: "loan_limit",
  taken: "not_available",
  "not-lendable": "not_lendable",
  "not-held": "not_held",
  unavailable: "not_possible",
  login: "login_required",
} as const;

/** Refuses as `answer` answers. `isSilent`: the next page explains the refusal itself. */
function refuse(
  context: RequestContext,
  location: string,
  { reason, text: message }: { reason: LendingRefusal["reason"] | "login"; text: Text<FailureKey> },
  { isSilent = false } = {},
): Reply {
  if (wantsJson(context.request)) {
    const body = { error: ERRORS[reason], message: english(message), location };
    throw failure(message.key, message.values, { body, headers: { "Cache-Control": PRIVATE } });
  }
  if (!isSilent) notifyOf(context, "error", message);
  return seeOther(location);
}
