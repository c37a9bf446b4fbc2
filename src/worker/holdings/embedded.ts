import { Buffer } from "node:buffer";
import type { LendingStatus } from "../../catalog/lending/loan.ts";
import type { LendingTerms } from "../../catalog/lending/holdings.ts";
import { readTerms } from "../../db/lending/holdings.ts";
import {
  readHistory,
  readItemsOfPatron,
  readLendingChanges,
  readLentItems,
  readLoansOf,
  readPlacesOf,
  readQueue,
} from "../../db/lending/read-loans.ts";
import { forgetPatron } from "../../db/lending/write-loans.ts";
import type { AtDesk, DeskAnswer, DeskRefusal } from "../../durable/loan-desk/loan-desk.ts";
import type { Wish } from "../../durable/patron/loans.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { RequestContext } from "../http/operation.ts";
import { patronOf } from "../http/session.ts";
import type { Settings } from "../http/settings.ts";
import { statusAtDesk, statusOfItem } from "./item-status.ts";
import {
  type Borrower,
  type LendingPatron,
  type LendingRefusal,
  type LendingResult,
  type LendingService,
  NOT_HELD_TEXT,
  refused,
} from "./service.ts";

/** Dependencies of lending. The context of a request has them. */
type LendingContext = Pick<RequestContext, "now"> & {
  readonly stores: Pick<Stores, "catalog" | "patrons" | "patron" | "loanDesk">;
  readonly settings: Pick<Settings, "DERIVE_HOLDINGS">;
  readonly sources: Pick<Sources, "newSecret">;
};

/** Returns a service that lends from this service's own desks, one per item. */
export function embeddedLending(context: LendingContext): LendingService {
  const { stores, now } = context;
  const { patrons } = stores;
  return {
    status: (ocaid, borrower) => statusOf(context, ocaid, borrower),
    statuses: (ocaids) => statusesOf(context, ocaids),
    loans: ({ username }) => patronOf(stores, username).loans.held(now, username.toLowerCase()),
    loansOf: (ocaid) => readLoansOf(patrons, ocaid, now),
    open: ({ ocaid, book, kind, borrower }) =>
      wished(context, { ocaid, borrower, kind: "loan" }, ({ at, patron, validUntil, request }) =>
        deskOf(stores, ocaid).open({ ...at, patron, book, kind, validUntil, uuid: request }),
      ),
    join: ({ ocaid, book, borrower }) =>
      wished(context, { ocaid, borrower, kind: "place" }, ({ at, patron, validUntil }) =>
        deskOf(stores, ocaid).join({ ...at, patron, book, validUntil }),
      ),
    close: (ocaid, borrower) =>
      given(context, { ocaid, borrower }, (at, patron) => deskOf(stores, ocaid).close(at, patron)),
    leave: (ocaid, borrower) =>
      given(context, { ocaid, borrower }, (at, patron) => deskOf(stores, ocaid).leave(at, patron)),
    places: (by) =>
      "ocaid" in by
        ? readQueue(patrons, by.ocaid)
        : readPlacesOf(patrons, by.borrower.username.toLowerCase(), by.among),
    history: ({ username }, page) => readHistory(patrons, username.toLowerCase(), page),
    changes: (after, limit) => readLendingChanges(patrons, after, limit),
    forget: ({ username }) => forget(context, username),
  };
}

function deskOf({ loanDesk }: LendingContext["stores"], ocaid: string) {
  return loanDesk.getByName(ocaid);
}

/** Reads the terms of items from the primary database, since loans depend on them. */
function termsOf({ stores, settings }: LendingContext, ocaids: readonly string[]) {
  return readTerms(stores.catalog, ocaids, { derive: settings.DERIVE_HOLDINGS });
}

function atDesk({ now }: LendingContext, ocaid: string, terms: LendingTerms | undefined): AtDesk {
  return { ocaid, copies: terms?.copies ?? 0, browse: terms?.browse ?? false, now };
}

async function statusOf(context: LendingContext, ocaid: string, borrower?: Borrower): Promise<LendingStatus> {
  const { stores, now } = context;
  const patron = borrower?.username.toLowerCase() ?? null;
  const [known, loanCount] = await Promise.all([
    termsOf(context, [ocaid]),
    patron === null ? 0 : patronOf(stores, patron).loans.count(now),
  ]);
  const terms = known.get(ocaid);
  const counts =
    borrower === undefined ? undefined : { loanCount, isPrintDisabled: borrower.isPrintDisabled };
  // Only desks of lendable items are called: a call creates the desk.
  if (terms === undefined || !terms.isLendable) return statusOfItem(terms, undefined, counts);
  const desk = await deskOf(stores, ocaid).status(atDesk(context, ocaid, terms), patron);
  return statusAtDesk(terms, desk, counts);
}

async function statusesOf(
  { stores, settings }: LendingContext,
  ocaids: readonly string[],
): Promise<ReadonlyMap<string, LendingStatus>> {
  const near = "first-unconstrained";
  const [terms, items] = await Promise.all([
    readTerms(stores.catalog.withSession(near), ocaids, { derive: settings.DERIVE_HOLDINGS }),
    readLentItems(stores.patrons.withSession(near), ocaids),
  ]);
  const byId = new Map(items.map((item) => [item.ocaid, item]));
  return new Map([...terms].map(([ocaid, one]) => [ocaid, statusOfItem(one, byId.get(ocaid))]));
}

/** Parameters of a desk call; `request`: 32 hexadecimal digits. */
type DeskWish = { at: AtDesk; patron: string; validUntil: number; request: string };

type WishFor = Pick<Wish, "ocaid" | "kind"> & { readonly borrower: Borrower };

/** Reserves room at the patron's object, sends the loan request to the desk, and reports the result to the patron. */
async function wished<Value>(
  context: LendingContext,
  wish: WishFor,
  ask: (wish: DeskWish) => Promise<DeskAnswer<Value>>,
): Promise<LendingResult<Value>> {
  const { ocaid, borrower } = wish;
  const terms = (await termsOf(context, [ocaid])).get(ocaid);
  if (terms === undefined || !terms.isLendable) return refused("not-lendable", "This book is not lent.");
  const patron = borrower.username.toLowerCase();
  const request = Buffer.from(context.sources.newSecret(), "base64url").toString("hex");
  const admission = await admitted(context, wish, request);
  if (!admission.ok) return REFUSED_ADMISSION[`${wish.kind} ${admission.reason}`];
  const { validUntil } = admission;
  const answer = await ask({ at: atDesk(context, ocaid, terms), patron, validUntil, request });
  await patronOf(context.stores, patron).loans.conclude({ ocaid, request, word: answer.word });
  return answer.ok ? { ok: true, value: answer.value } : refusedAtDesk(answer.reason);
}

/**
 * Asks the patron's object for admission. Before a refusal for too many loans or places, asks the desks whose updates
 * may have been lost.
 */
async function admitted(context: LendingContext, { ocaid, borrower, kind }: WishFor, request: string) {
  const { stores, now } = context;
  const isUnlimited = kind === "loan" && borrower.isPrintDisabled;
  const wish = { ocaid, request, kind, isUnlimited, now };
  const patron = borrower.username.toLowerCase();
  const admission = await patronOf(stores, patron).loans.admit(wish);
  if (admission.ok || admission.doubtful.length === 0) return admission;
  const terms = await termsOf(context, admission.doubtful);
  const words = await Promise.all(
    admission.doubtful.map((item) =>
      deskOf(stores, item).word(atDesk(context, item, terms.get(item)), patron),
    ),
  );
  await patronOf(stores, patron).loans.hear(words);
  return patronOf(stores, patron).loans.admit(wish);
}

/** Ends a loan or a place at the desk; desks where the patron has nothing are not called. */
async function given(
  context: LendingContext,
  { ocaid, borrower }: { readonly ocaid: string; readonly borrower: LendingPatron },
  give: (at: AtDesk, patron: string) => Promise<DeskAnswer<null>>,
): Promise<LendingResult<null>> {
  const patron = borrower.username.toLowerCase();
  const terms = await termsOf(context, [ocaid]);
  const items = await patronOf(context.stores, patron).loans.items();
  if (!items.includes(ocaid)) return refusedAtDesk("not-held");
  const answer = await give(atDesk(context, ocaid, terms.get(ocaid)), patron);
  await patronOf(context.stores, patron).loans.hear([answer.word]);
  return answer.ok ? { ok: true, value: null } : refusedAtDesk(answer.reason);
}

/** Returns all loans of a patron and removes the name. The patron's object must have been barred before. */
async function forget(context: LendingContext, username: string): Promise<void> {
  const { stores } = context;
  const patron = username.toLowerCase();
  const [own, told] = await Promise.all([
    patronOf(stores, patron).loans.items(),
    readItemsOfPatron(stores.patrons, patron),
  ]);
  const items = [...new Set([...own, ...told])];
  const terms = await termsOf(context, items);
  await Promise.all(
    items.map((ocaid) => deskOf(stores, ocaid).forget(atDesk(context, ocaid, terms.get(ocaid)), patron)),
  );
  await forgetPatron(stores.patrons, patron);
}

const TOO_MANY = "You have as many books as you can borrow at a time. Please return one first.";
const REFUSED_ADMISSION: Readonly<Record<`${Wish["kind"]} ${"limit" | "barred"}`, LendingRefusal>> = {
  "loan limit": refused("limit", TOO_MANY),
  "loan barred": refused("unavailable", "This account cannot borrow."),
  "place limit": refused(
    "limit",
    "You wait for as many books as one can wait for. Please leave a queue first.",
  ),
  "place barred": refused("unavailable", "This account cannot borrow."),
};

const REFUSALS: Readonly<Record<DeskRefusal, Parameters<typeof refused>>> = {
  taken: ["taken", "Somebody else has this book. You can join its waiting list."],
  "not-held": ["not-held", NOT_HELD_TEXT],
  "has-loan": ["unavailable", "You have this book already."],
  free: ["unavailable", "This book is free. You can borrow it at once."],
  full: ["unavailable", "The waiting list of this book is full."],
  late: ["unavailable", "That took too long. Please try again."],
};

function refusedAtDesk(reason: DeskRefusal): LendingRefusal {
  return refused(...REFUSALS[reason]);
}
