import { env } from "cloudflare:workers";
import { attemptImport } from "../../../src/db/imports/import-record.ts";
import type { ClaimedItem, ImportResult } from "../../../src/db/imports/import-request.ts";
import { NumberPool } from "../../../src/db/editing/numbers.ts";
import { readLanguageIndex } from "../../../src/db/imports/language-index.ts";
import { prepareRecord } from "../../../src/import/records/prepare.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { NOW } from "./desk.ts";
import { IMPORTED, IMPORTER } from "./importing.ts";
import { countedDatabase, roundTrips } from "./statements.ts";

interface Options {
  readonly item?: ClaimedItem;
  readonly author?: string;
  readonly pool?: NumberPool;
  /** Number of other imports that wait at the desk. */
  readonly waiting?: number;
  /** Runs between the reads and the writes of the attempt, for changes by others. */
  readonly between?: () => Promise<unknown>;
}

interface Attempted {
  readonly outcome: ImportResult | "conflict";
  /** SQL of the statements that it took; languages are kept from before. */
  readonly statements: readonly string[];
  readonly trips: number;
}

/** One attempt to import a record, without a desk in front of the database. */
export async function attemptedLoad(record: ImportRecord, options: Options = {}): Promise<Attempted> {
  const { item, author = IMPORTER, pool = new NumberPool(), waiting = 0, between } = options;
  const counted = countedDatabase(env.CATALOG);
  const kept = await readLanguageIndex(env.CATALOG);
  const outcome = await attemptImport(
    {
      catalog: counted.database,
      languages: async () => {
        await between?.();
        return kept;
      },
      numbers: (database, counts, current) => pool.take(database, counts, { waiting, current }),
      time: (now, newest) => (now > newest ? now : newest),
    },
    {
      record: prepareRecord(record, { year: 2026 }),
      prefix: "OL",
      now: IMPORTED,
      author,
      bot: true,
      ip: null,
      fromMarc: false,
      coverHosts: ["covers.openlibrary.org"],
      ...(item !== undefined && { item }),
    },
    true,
  );
  return { outcome, statements: counted.statements, trips: roundTrips(counted) };
}

let items = 0;

/** A claimed item of the queue. */
export async function claimedItem(): Promise<ClaimedItem> {
  const claim = `claim-${(items += 1)}`;
  await env.CATALOG.prepare(
    "INSERT INTO import_batch (id, name, submit_time, updated) VALUES (1, 'tests of loads', ?1, ?1) ON CONFLICT DO NOTHING",
  )
    .bind(NOW)
    .run();
  const row = await env.CATALOG.prepare(
    `INSERT INTO import_item (batch_id, added_time, status, ia_id, data, claim, claimed, claimed_from)
     VALUES (1, ?1, 'processing', ?2, '{}', ?2, ?1, 'pending') RETURNING id`,
  )
    .bind(NOW, claim)
    .first<{ id: number }>();
  return { id: row?.id ?? 0, claim };
}
