import { RpcTarget } from "cloudflare:workers";
import type { ActivityItem, ActivityKind } from "../../catalog/patrons/activity.ts";
import type { PatronCore } from "./core.ts";
import { type ExportPage, type ExportRequest, exportPage } from "./export.ts";
import { type WorkMove, moveWork } from "./move-work.ts";
import type { Outbox, Pending } from "./outbox.ts";
import {
  type HeldCounts,
  type HeldWork,
  dropWorks,
  erase,
  forgetState,
  heldCounts,
  heldWorks,
  seal,
} from "./removal.ts";
import { type Restored, restore } from "./restore.ts";

/** Tables whose rows are of a work each. */
const WORK_TABLES = ["shelf_entry", "rating", "check_in", "note", "observation", "award"] as const;

/** What the service does with a patron's object on its own account. */
export class PatronUpkeep extends RpcTarget {
  readonly #core: PatronCore;
  readonly #outbox: Outbox;

  constructor(core: PatronCore, outbox: Outbox) {
    super();
    this.#core = core;
    this.#outbox = outbox;
  }

  /** Others have stored these states. */
  confirm(stored: readonly Pending[]): void {
    this.#outbox.confirm(stored);
  }

  /** The state of a subject that others do not have yet; undefined when they have. */
  unconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    return this.#outbox.unconfirmed(kind, subject);
  }

  /** Adds what the patron had at another service; what he has here stays. */
  restore(restored: Restored): void {
    restore(this.#core, restored);
  }

  /** A part of what the patron takes along as a file. */
  exported(request: ExportRequest): ExportPage {
    return exportPage(this.#core.sql, request);
  }

  /** Moves everything of a work to the work that it became; how many notes and awards had to stay. */
  moveWork(move: WorkMove): number {
    return moveWork(this.#core, move);
  }

  /** How much there is of what an account that is removed leaves behind, or takes along. */
  heldCounts(): HeldCounts {
    return heldCounts(this.#core.sql);
  }

  /** Closes the object for good, and leaves what it holds for those who remove it. */
  seal(): void {
    seal(this.#core.sql);
  }

  /** States of the first works that a sealed object holds, in order of number. */
  heldWorks(limit: number): HeldWork[] {
    return heldWorks(this.#core.sql, limit);
  }

  /** Deletes such works from a sealed object. */
  dropWorks(works: readonly number[]): void {
    dropWorks(this.#core.sql, works);
  }

  /** Deletes everything that a sealed object holds, and keeps it closed. */
  async erase(): Promise<void> {
    await this.#outbox.erase(() => erase(this.#core.sql));
  }

  /** Makes an object that was erased as good as new, for somebody else of the same name. */
  reopen(): void {
    forgetState(this.#core.sql);
  }

  /**
   * Sends the states of everything that the object holds, and of what others know of and it does not hold, for projections
   * that are made anew. `after`: the highest sequence that they know.
   */
  resendAll({ known, after }: { known: readonly Omit<Pending, "sequence">[]; after: number }): void {
    this.#core.transact(() => {
      const { sql } = this.#core;
      this.#outbox.continueAfter(after);
      // One by one: a statement of an object can unite five selections at most.
      const works = WORK_TABLES.flatMap((table) =>
        sql.exec<{ work: number }>(`SELECT DISTINCT work FROM ${table}`).toArray(),
      );
      for (const work of new Set(works.map((row) => row.work))) this.#core.mark("work", work);
      for (const { publisher } of sql.exec<{ publisher: string }>("SELECT publisher FROM follow").toArray()) {
        this.#core.mark("follow", publisher);
      }
      for (const { key } of sql.exec<{ key: string }>("SELECT key FROM opinion").toArray()) {
        this.#core.mark("like", key);
      }
      for (const { kind, subject } of known) this.#core.mark(kind, subject);
    });
    this.#core.flush();
  }
}
