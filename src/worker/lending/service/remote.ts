import { createHash } from "node:crypto";
import type { LendingStatus, Loan, WaitingPlace } from "../../../catalog/lending/loan.ts";
import { type AnswerCache, readCachedAnswer, writeCache } from "../../http/kv-cache.ts";
import { isItemId } from "../../../catalog/lending/holdings.ts";
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
  type BookRequest,
  type Borrower,
  type LendingPatron,
  type LendingResult,
  type LendingService,
  NOT_HELD,
  toRefusal,
} from "./lending-service.ts";

export interface RemotePatrons {
  useridOf(username: string): Promise<string>;
  /** Returns usernames in lower case by the other service's names; unknown names are absent. */
  patronsOf(userids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  keysOf(username: string): Promise<PatronKeys | undefined>;
  forgetKeys(username: string): Promise<void>;
}

/** Lends through another service over HTTP. Failures are `LendingFailure`. */
export class RemoteLending implements LendingService {
  constructor(
    private readonly options: RemoteOptions,
    private readonly patrons: RemotePatrons,
    private readonly cache: AnswerCache,
  ) {}

  async status(ocaid: string, borrower?: Borrower): Promise<LendingStatus> {
    const keys = borrower === undefined ? undefined : await this.patrons.keysOf(borrower.username);
    const fields = keys === undefined ? {} : { ...keys };
    const [json, loans, places] = await Promise.all([
      callLoans(this.options, { action: "availability", identifier: ocaid }, fields),
      borrower === undefined ? [] : this.loans(borrower),
      borrower === undefined ? [] : this.places({ borrower }),
    ]);
    const answer = shapes.statusOfAnswer(json);
    if (answer === undefined) throw new LendingFailure(`no status of ${ocaid}`);
    if (borrower === undefined) return answer.status;
    const patron = {
      loan: loans.find((loan) => loan.ocaid === ocaid) ?? null,
      place: places.find((place) => place.ocaid === ocaid) ?? null,
      loanCount: Math.max(answer.loanCount, loans.length),
      isPrintDisabled: borrower.isPrintDisabled,
    };
    return { ...answer.status, patron };
  }

  async statuses(ocaids: readonly string[]): Promise<ReadonlyMap<string, LendingStatus>> {
    // Ids come from clients: only valid ids are sent to the other service.
    const validIds = [...new Set(ocaids)].filter(isItemId).sort();
    const count = Math.ceil(validIds.length / LENDING_IDS_AT_ONCE);
    const calls = Array.from({ length: count }, async (_, call) => {
      const batch = validIds.slice(call * LENDING_IDS_AT_ONCE, (call + 1) * LENDING_IDS_AT_ONCE);
      const key = `lending availability ${createHash("sha256").update(batch.join(",")).digest("hex")}`;
      const cached = await readCachedAnswer(this.cache, key);
      const answers =
        cached === null
          ? await callAvailability(this.options, batch)
          : (JSON.parse(cached) as Awaited<ReturnType<typeof callAvailability>>); // Stored below.
      if (cached === null) {
        const entry = { text: JSON.stringify(answers), seconds: LENDING_CACHE_SECONDS };
        await writeCache(this.cache, key, { entry });
      }
      return batch.flatMap((ocaid) => {
        // An id may be the name of a member of every object.
        const answer = Object.hasOwn(answers, ocaid) ? answers[ocaid] : undefined;
        const status = answer === undefined ? undefined : shapes.statusOfAvailability(answer);
        return status === undefined ? [] : [[ocaid, status] as const];
      });
    });
    return new Map((await Promise.all(calls)).flat());
  }

  async loans({ username }: LendingPatron): Promise<readonly Loan[]> {
    const userid = await this.patrons.useridOf(username);
    const answer = await callRpc(this.options, "loan.query", { userid });
    return shapes.loansOfAnswer(answer, () => username.toLowerCase());
  }

  async loansOf(ocaid: string): Promise<readonly Loan[]> {
    const answer = await callRpc(this.options, "loan.query", { identifier: ocaid });
    const usernames = await this.usernamesOf(shapes.useridsOfAnswer(answer));
    return shapes.loansOfAnswer(answer, (userid) => usernames.get(userid) ?? null);
  }

  async open(loanRequest: Parameters<LendingService["open"]>[0]): Promise<LendingResult<Loan>> {
    const { ocaid, kind, borrower } = loanRequest;
    const existing = await this.loanOf(ocaid, borrower);
    if (existing !== undefined) return { ok: true, value: existing };
    const action = kind === "browse" ? "browse_book" : "borrow_book";
    const refusal = await this.act(action, ocaid, borrower);
    if (refusal !== undefined) return refusal;
    const loan = await this.loanOf(ocaid, borrower);
    return loan === undefined ? NOT_LISTED_YET : { ok: true, value: { ...loan, book: loanRequest.book } };
  }

  async close(ocaid: string, borrower: LendingPatron): Promise<LendingResult<null>> {
    return this.end("return_loan", ocaid, borrower);
  }

  async join({ ocaid, borrower }: BookRequest): Promise<LendingResult<WaitingPlace>> {
    const refusal = await this.act("join_waitlist", ocaid, borrower);
    if (refusal !== undefined) return refusal;
    const place = (await this.places({ borrower })).find((row) => row.ocaid === ocaid);
    return place === undefined ? NOT_LISTED_YET : { ok: true, value: place };
  }

  async leave(ocaid: string, borrower: LendingPatron): Promise<LendingResult<null>> {
    return this.end("leave_waitlist", ocaid, borrower);
  }

  async places(by: Parameters<LendingService["places"]>[0]): Promise<readonly WaitingPlace[]> {
    if ("ocaid" in by) {
      const answer = await callRpc(this.options, "waitinglist.query", { identifier: by.ocaid });
      const usernames = await this.usernamesOf(shapes.useridsOfAnswer(answer));
      return shapes.placesOfAnswer(answer, (userid) => usernames.get(userid) ?? null);
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
    const json = await callLoans(this.options, { action: "user_borrow_history" }, fields);
    return json === undefined ? [] : shapes.historyOfAnswer(json);
  }

  async changes(after: number, limit: number) {
    const changes = shapes.changesOfAnswer(await callChanges(this.options, after, limit));
    const usernames = await this.usernamesOf(changes.flatMap(({ userid }) => userid ?? []));
    return changes.map(({ userid, ...change }) =>
      Object.assign(change, { patron: userid === null ? null : (usernames.get(userid) ?? null) }),
    );
  }

  async forget(borrower: LendingPatron): Promise<void> {
    if ((await this.patrons.keysOf(borrower.username)) === undefined) return;
    const readLeft = () => Promise.all([this.loans(borrower), this.places({ borrower })]);
    const [loans, places] = await readLeft();
    const results: LendingResult<null>[] = [];
    for (const { ocaid } of loans) results.push(await this.close(ocaid, borrower));
    for (const { ocaid } of places) results.push(await this.leave(ocaid, borrower));
    // Refused actions are no failure if the loan or the place has ended in the meantime.
    const count = results.every(({ ok }) => ok) ? 0 : (await readLeft()).flat().length;
    if (count > 0) throw new LendingFailure(`${count} loans and places of a removed account cannot be ended`);
    await this.patrons.forgetKeys(borrower.username);
  }

  private async loanOf(ocaid: string, borrower: LendingPatron): Promise<Loan | undefined> {
    return (await this.loans(borrower)).find((loan) => loan.ocaid === ocaid);
  }

  private usernamesOf(userids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.patrons.patronsOf([...new Set(userids)]);
  }

  /** Ends a loan or a place. The service refuses that only if there is no such loan or place. */
  private async end(
    action: "return_loan" | "leave_waitlist",
    ocaid: string,
    borrower: LendingPatron,
  ): Promise<LendingResult<null>> {
    const refusal = await this.act(action, ocaid, borrower);
    if (refusal === undefined) return { ok: true, value: null };
    return refusal === REFUSED ? NOT_HELD : refusal;
  }

  /** Runs an action as the patron; undefined on success. Throws `LendingFailure` if the service does not answer. */
  private async act(action: string, identifier: string, borrower: LendingPatron) {
    const keys = await this.patrons.keysOf(borrower.username);
    if (keys === undefined) return NO_KEYS;
    const json = await callLoans(this.options, { action, identifier }, { ...keys });
    return json === undefined ? REFUSED : undefined;
  }
}

const NO_KEYS = toRefusal("unavailable", "conflict.lending_login");
const REFUSED = toRefusal("limit", "conflict.loan_refused");
const NOT_LISTED_YET = toRefusal("unavailable", "conflict.loan_pending");
