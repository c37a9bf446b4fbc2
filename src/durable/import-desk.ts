import type { ImportRequest, ImportResult } from "../db/imports/import-request.ts";
import type { Importer } from "./importer.ts";
import { EdgeObject } from "./edge-object.ts";

/**
 * Desk that serializes imports: one object for the whole catalog. Records that may be the same book, or name the same
 * author, wait for each other, so that each is matched against the results of the previous one. It stores nothing
 * itself; if two such objects are ever alive, the transactions of D1 decide. What an import needs is imported by the
 * first one, because every isolate evaluates this class.
 */
export class ImportDesk extends EdgeObject {
  private importer: Importer | undefined;

  async importRecord(request: ImportRequest): Promise<ImportResult> {
    const { Importer } = await import("./importer.ts");
    this.importer ??= new Importer(this.env);
    return this.importer.importRecord(request);
  }

  /** Returns the number of imports that wait or are running; a health check. */
  ping(): number {
    return this.importer?.length ?? 0;
  }
}
