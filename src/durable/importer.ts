import type { ImportRequest, ImportResult } from "../db/imports/import-request.ts";
import { catalogOf } from "../db/catalog.ts";
import { NumberPool } from "../db/editing/numbers.ts";
import { LanguageCache } from "../db/imports/language-index.ts";
import { type Importing, importPrepared } from "../db/imports/import-record.ts";
import { ImportFailure } from "../import/failure.ts";
import { deskKeysOf } from "../import/records/record-lookups.ts";
import type { Store } from "../db/statement.ts";
import { DESK_LIMITS, KeyQueue, latestOf } from "./key-queue.ts";
import { WrittenBytes } from "./written-bytes.ts";

/** Imports records in turn: those that may be the same book, or name the same author, wait for each other. */
export class Importer {
  private readonly catalog: Store;
  private readonly queue = new KeyQueue(DESK_LIMITS);
  /** Queue of records with very many candidates: one after the other. */
  private readonly large = new KeyQueue({ ...DESK_LIMITS, size: 0, running: 1 });
  private readonly languages = new LanguageCache();
  private readonly pool = new NumberPool();
  private readonly written: WrittenBytes;
  private lastTime = "";

  constructor(private readonly env: Env) {
    this.catalog = catalogOf(env);
    this.written = new WrittenBytes(env.THROTTLE);
  }

  /** Number of imports that wait or are running. */
  get length(): number {
    return this.queue.length;
  }

  async importRecord(request: ImportRequest): Promise<ImportResult> {
    const { record, now } = request;
    const importing: Importing = {
      catalog: this.catalog,
      languages: (database, version) => this.languages.get(database, version, now),
      numbers: (database, counts, current) =>
        this.pool.take(database, counts, { waiting: this.queue.length - 1, current }),
      conflicted: () => {
        this.pool.drop();
        this.languages.forget();
      },
      alone: (work) => this.large.run({ keys: [], size: 0, run: work }),
      time: (requested, newest) => (this.lastTime = latestOf(requested, newest, this.lastTime)),
      spend: this.written.chargeFor(request, now),
    };
    const job = { ...request, prefix: this.env.RECORD_PREFIX };
    try {
      const result = await this.queue.run({
        keys: deskKeysOf(record),
        size: JSON.stringify(record).length,
        run: () => importPrepared(importing, job),
      });
      return result ?? { ok: false, why: "busy" };
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      const { code, text, extra } = error;
      return { ok: false, why: "refused", code, text, extra };
    }
  }
}
