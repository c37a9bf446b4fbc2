import { createHash } from "node:crypto";
import type { LendingStatus, Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { isItemId } from "../../catalog/lending/holdings.ts";
import * as shapes from "./remote-answers.ts";
import {
  type PatronKeys,
  type RemoteOptions,
  LENDING_CACHE_SECONDS,
  LENDING_IDS_AT_ONCE,
  LendingFailure,
  callAvailability,
  callChanges,
  callLoans,
  callRpc,
} from "./remote-client.ts";
import {
  type Borrower,
  type LendingPatron,
  type LendingResult,
  type LendingService,
  NOT_HELD_TEXT,
  refused,
} from "./service.ts";

/** Names and keys of this service's patrons at the other service. */
export interface RemotePatrons {
  /** Returns the name of a patron at the other service. */
  useridOf(username: string): Promise<string>;
  /** Returns usernames in lower case by the other service's names; unknown names are absent. */
  patronsOf(userids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  keysOf(username: string): Promise<PatronKeys | undefined>;
  forgetKeys(username: string): Promise<void>;
}

/** Cache of availabilities. */
export interface RemoteCache {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

/** Lends through another service over HTTP. Failures are `LendingFailure`. */
export class RemoteLending implements LendingService {
  constructor(
    private readonly options: RemoteOptions,
    private readonly patrons: RemotePatrons,
    private readonly cache: RemoteCache,
  ) {}

  async status(ocaid: string, borrower?: Borrower): Promise<LendingStatus> {
    const keys = borrower === undefined ? undefined : await this.patrons.keysOf(borrower.username);
    const fields = keys === undefined ? {} : { ...keys };
    const [{ json }, loans, places] = await Promise.all([
      callLoans(this.options, { action: "availability", identifier: ocaid }, fields),
      borrower === undefined ? [] : this.loans(borrower),
      borrower === undefined ? [] : this.places({ borrower }),
    ]);
    const found = shapes.statusOfAnswer(json);
    if (found === undefined) throw new LendingFailure(`no status of ${ocaid}`);
    if (borrower === undefined) return found.status;
    const patron = {
      loan: loans.find((loan) => loan.ocaid === ocaid) ?? null,
      place: places.find((place) => place.ocaid === ocaid) ?? null,
      loanCount: Math.max(found.loanCount, loans.length),
      isPrintDisabled: borrower.isPrintDisabled,
    };
    return { ...found.status, patron };
  }

  async statuses(ocaids: readonly string[]): Promise<ReadonlyMap<string, LendingStatus>> {
    // Ids come from clients: only valid ids are sent to the other service.
    const asked = [...new Set(ocaids)].filter(isItemId).sort();
    const calls = Array.from({ length: Math.ceil(asked.length / LENDING_IDS_AT_ONCE) }, (_, call) =>
      this.statusesOf(asked.slice(call * LENDING_IDS_AT_ONCE, (call + 1) * LENDING_IDS_AT_ONCE)),
    );
    return new Map((await Promise.all(calls)).flat());
  }

  private async statusesOf(ocaids: readonly string[]): Promise<(readonly [string, LendingStatus])[]> {
    const names = ocaids.join(",");
    const key = `lending availability ${createHash("sha256").update(names).digest("hex")}`;
    const kept = await this.cache.get(key);
    const answers =
      kept === null
        ? await callAvailability(this.options, ocaids)
        : (JSON.parse(kept) as Awaited<ReturnType<typeof callAvailability>>); // Stored below.
    if (kept === null) {
      await this.cache.put(key, JSON.stringify(answers), { expirationTtl: LENDING_CACHE_SECONDS });
    }
    return ocaids.flatMap((ocaid) => {
      // An id may be the name of a member of every object.
      const answer = Object.hasOwn(answers, ocaid) ? answers[ocaid] : undefined;
      const status = answer === undefined ? undefined : shapes.statusOfAvailability(answer);
      return status === undefined ? [] : [[ocaid, status] as const];
    });
  }

  async loans({ username }: LendingPatron): Promise<readonly Loan[]> {
    const userid = await this.patrons.useridOf(username);
    const answer = await callRpc(this.options, "loan.query", { userid });
    return shapes.loansOfAnswer(answer, () => username.toLowerCase());
  }

  async loansOf(ocaid: string): Promise<readonly Loan[]> {
    const answer = await callRpc(this.options, "loan.query", { identifier: ocaid });
    const known = await this.known(shapes.useridsOfAnswer(answer));
    return shapes.loansOfAnswer(answer, (userid) => known.get(userid) ?? null);
  }

  async open(wish: Parameters<LendingService["open"]>[0]): Promise<LendingResult<Loan>> {
    const { ocaid, kind, borrower } = wish;
    const held = await this.loanOf(ocaid, borrower);
    if (held !== undefined) return { ok: true, value: held };
    const action = kind === "browse" ? "browse_book" : "borrow_book";
    const failure = await this.act(action, ocaid, borrower);
    if (failure !== undefined) return failure;
    const loan = await this.loanOf(ocaid, borrower);
    return loan === undefined ? UNHEARD : { ok: true, value: { ...loan, book: wish.book } };
  }

  async close(ocaid: string, borrower: LendingPatron): Promise<LendingResult<null>> {
    const failure = await this.act("return_loan", ocaid, borrower);
    return failure === undefined ? { ok: true, value: null } : NOT_HELD;
  }

  async join(wish: Parameters<LendingService["join"]>[0]): Promise<LendingResult<WaitingPlace>> {
    const { ocaid, borrower } = wish;
    const failure = await this.act("join_waitlist", ocaid, borrower);
    if (failure !== undefined) return failure;
    const place = (await this.places({ borrower })).find((one) => one.ocaid === ocaid);
    return place === undefined ? UNHEARD : { ok: true, value: place };
  }

  async leave(ocaid: string, borrower: LendingPatron): Promise<LendingResult<null>> {
    const failure = await this.act("leave_waitlist", ocaid, borrower);
    return failure === undefined ? { ok: true, value: null } : NOT_HELD;
  }

  async places(by: Parameters<LendingService["places"]>[0]): Promise<readonly WaitingPlace[]> {
    if ("ocaid" in by) {
      const answer = await callRpc(this.options, "waitinglist.query", { identifier: by.ocaid });
      const known = await this.known(shapes.useridsOfAnswer(answer));
      return shapes.placesOfAnswer(answer, (userid) => known.get(userid) ?? null);
    }
    const { borrower, among } = by;
    const userid = await this.patrons.useridOf(borrower.username);
    const answer = await callRpc(this.options, "waitinglist.query", { userid });
    const places = shapes.placesOfAnswer(answer, () => borrower.username.toLowerCase());
    return among === undefined ? places : places.filter(({ ocaid }) => among.includes(ocaid));
  }

  async history({ username }: LendingPatron, { limit, offset }: { limit: number; offset: number }) {
    const keys = await this.patrons.keysOf(username);
    if (keys === undefined) return [];
    const fields = { ...keys, limit: String(limit), offset: String(offset), newest: "1" };
    const { json, isRefused } = await callLoans(this.options, { action: "user_borrow_history" }, fields);
    return isRefused ? [] : shapes.historyOfAnswer(json);
  }

  async changes(after: number, limit: number) {
    const changes = shapes.changesOfAnswer(await callChanges(this.options, after, limit));
    const known = await this.known(changes.flatMap(({ userid }) => userid ?? []));
    return changes.map(({ userid, ...change }) =>
      Object.assign(change, { patron: userid === null ? null : (known.get(userid) ?? null) }),
    );
  }

  async forget(borrower: LendingPatron): Promise<void> {
    if ((await this.patrons.keysOf(borrower.username)) === undefined) return;
    const [loans, places] = await Promise.all([this.loans(borrower), this.places({ borrower })]);
    for (const { ocaid } of loans) await this.close(ocaid, borrower);
    for (const { ocaid } of places) await this.leave(ocaid, borrower);
    await this.patrons.forgetKeys(borrower.username);
  }

  private async loanOf(ocaid: string, borrower: LendingPatron): Promise<Loan | undefined> {
    return (await this.loans(borrower)).find((loan) => loan.ocaid === ocaid);
  }

  private known(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.patrons.patronsOf([...new Set(names)]);
  }

  /** Runs an action as the patron; undefined on success. */
  private async act(action: string, identifier: string, borrower: LendingPatron) {
    const keys = await this.patrons.keysOf(borrower.username);
    if (keys === undefined) return NO_KEYS;
    const { isRefused } = await callLoans(this.options, { action, identifier }, { ...keys });
    return isRefused ? REFUSED : undefined;
  }
}

const NO_KEYS = refused("unavailable", "Please log in again: the lending service does not know you.");
const REFUSED = refused(
  "limit",
  "The lending service does not lend you this book now: you may have too many, or it is out.",
);
const NOT_HELD = refused("not-held", NOT_HELD_TEXT);
const UNHEARD = refused(
  "unavailable",
  "The lending service has taken the wish, and does not show it yet. Please look again later.",
);
