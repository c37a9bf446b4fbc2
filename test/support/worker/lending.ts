import { env } from "cloudflare:workers";
import type { Loan, LoanKind, WaitingPlace } from "../../../src/catalog/lending/loan.ts";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { EmbeddedLending } from "../../../src/worker/lending/service/embedded.ts";
import type {
  Borrower,
  LendingResult,
  LendingService,
} from "../../../src/worker/lending/service/lending-service.ts";

/** A patron at the desks, without the routes. */
export interface TestBorrower extends Borrower {
  /** In lower case. */
  readonly name: string;
  lending(): LendingService;
  open(ocaid: string, kind: LoanKind): Promise<LendingResult<Loan>>;
  close(ocaid: string): Promise<LendingResult<null>>;
  join(ocaid: string): Promise<LendingResult<WaitingPlace>>;
  leave(ocaid: string): Promise<LendingResult<null>>;
  loans(): Promise<readonly Loan[]>;
}

interface ItemTerms {
  readonly copies?: number;
  readonly browse?: boolean;
  readonly collections?: readonly string[];
}

let made = 0;

/**
 * Lending whose clock the test decides. It begins now: alarms go by the real clock. Every item and every patron is new.
 */
export function lender() {
  const clock = { now: Date.now() };
  const lending = (): LendingService =>
    new EmbeddedLending({
      now: clock.now,
      stores: storesOf(env),
      settings: settingsOf(env),
      sources: systemSources,
    });
  return {
    clock,
    lending,
    /** An item that is lent; its id. */
    async item(terms: ItemTerms = {}): Promise<string> {
      const ocaid = `item${(made += 1)}test`;
      await putTerms(ocaid, terms);
      return ocaid;
    },
    borrower: (name: string, isPrintDisabled = false): TestBorrower =>
      testBorrower(lending, `${name}${(made += 1)}`, isPrintDisabled),
  };
}

/** Says on which terms an item is lent. */
export async function putTerms(
  ocaid: string,
  { copies = 1, browse = false, collections = ["inlibrary", "printdisabled"] }: ItemTerms,
): Promise<void> {
  await env.CATALOG.prepare(
    `INSERT INTO item (ocaid, collections, copies, browse, updated) VALUES (?, ?, ?, ?, '2026-11-01')
     ON CONFLICT (ocaid) DO UPDATE SET collections = excluded.collections, copies = excluded.copies, browse = excluded.browse`,
  )
    .bind(ocaid, JSON.stringify(collections), copies, Number(browse))
    .run();
}

function testBorrower(
  lending: () => LendingService,
  username: string,
  isPrintDisabled: boolean,
): TestBorrower {
  const borrower = { username, isPrintDisabled };
  const book = "/books/OL1M";
  return {
    ...borrower,
    name: username.toLowerCase(),
    lending,
    open: (ocaid, kind) => lending().open({ ocaid, book, kind, borrower }),
    close: (ocaid) => lending().close(ocaid, borrower),
    join: (ocaid) => lending().join({ ocaid, book, borrower }),
    leave: (ocaid) => lending().leave(ocaid, borrower),
    loans: () => lending().loans(borrower),
  };
}

/** The desk of an item. */
export function deskOf(ocaid: string) {
  return env.LOAN_DESK.getByName(ocaid);
}
