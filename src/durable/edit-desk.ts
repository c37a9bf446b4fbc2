import { parseDatetime } from "../catalog/datetime.ts";
import type { CatalogRecord } from "../catalog/record.ts";
import { catalogOf } from "../db/catalog.ts";
import { BUSY } from "../db/editing/check-request.ts";
import {
  type CreateRequest,
  type SaveRequest,
  type SaveResult,
  type SeedsRequest,
  type SeedsResult,
  keysOfChange,
} from "../db/editing/request.ts";
import type { Desk } from "../db/editing/save.ts";
import { type QueuedTask, DESK_LIMITS, KeyQueue, latestOf } from "./key-queue.ts";
import { WrittenBytes } from "./written-bytes.ts";
import { EdgeObject } from "./edge-object.ts";

/**
 * Desk that serializes every change except bulk loads: one object for the whole catalog. Changes of the same records
 * wait for each other, so that clients get no conflict that they did not cause (Q95). It stores nothing itself; if two
 * such objects are ever alive, the transactions of D1 decide. What a change needs is imported by the first one, because
 * every isolate evaluates this class.
 */
export class EditDesk extends EdgeObject {
  private readonly catalog = catalogOf(this.env);
  private readonly queue = new KeyQueue(DESK_LIMITS);
  private readonly written = new WrittenBytes(this.env.THROTTLE);
  private readonly lastNumbers = new Map<string, number>();
  private lastTime = "";

  async save({ documents: text, ...request }: SaveRequest): Promise<SaveResult> {
    return this.inTurn({
      keys: keysOfChange({ documents: parseDocuments(text), expected: request.expected ?? {} }),
      size: text.length,
      run: async () => {
        const { saveDocuments } = await import("../db/editing/save.ts");
        return saveDocuments(this.desk(request), parseDocuments(text), request);
      },
    });
  }

  /** Creates new records as one change, with keys in order. */
  async create({ documents: text, edits: editsText = "[]", ...request }: CreateRequest): Promise<SaveResult> {
    return this.inTurn({
      keys: keysOfChange({ documents: parseDocuments(editsText), expected: request.expected ?? {} }),
      size: text.length + editsText.length,
      run: async () => {
        const { createDocuments } = await import("../db/editing/create.ts");
        const [documents, edits] = [parseDocuments(text), parseDocuments(editsText)];
        return createDocuments(this.desk(request), { documents, edits }, request);
      },
    });
  }

  /** Changes the seeds of a list or series. Reads the list only when its turn has come, so that no change is lost. */
  async seeds(request: SeedsRequest): Promise<SeedsResult> {
    const { saveSeeds, seedsKeysOf } = await import("../db/editing/save-seeds.ts");
    return this.inTurn({
      keys: seedsKeysOf(request),
      size: request.add.length + request.sent.length + (request.known?.document.length ?? 0),
      run: () => saveSeeds(this.desk(request), request),
    });
  }

  /** Returns the number of changes that wait or are being saved; a health check. */
  ping(): number {
    return this.queue.length;
  }

  private async inTurn<Result>(task: QueuedTask<Result>) {
    return (await this.queue.run(task)) ?? ({ ok: false, failures: [BUSY] } as const);
  }

  private desk({ writer, now: requested }: Pick<SaveRequest, "writer" | "now">): Desk {
    return {
      catalog: this.catalog,
      prefix: this.env.RECORD_PREFIX,
      time: (now, newest) => (this.lastTime = latestOf(now, newest, this.lastTime)),
      spend: this.written.chargeFor(writer, parseDatetime(requested)),
      lastNumbers: this.lastNumbers,
      mayRaise: this.queue.length === 1,
    };
  }
}

// The worker checked that the documents are objects, and serialized them. Only the text is in memory while it waits.
function parseDocuments(text: string): CatalogRecord[] {
  return JSON.parse(text) as CatalogRecord[];
}
