import type { EngineHealth } from "../../search/engine.ts";
import { type Database, firstRow } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** How many documents of each kind one generation has. One statement. */
export async function readHealth(database: Database, generation: Generation): Promise<EngineHealth> {
  const documents = await firstRow<EngineHealth["documents"]>(database, {
    sql: `SELECT (SELECT count(*) FROM work_${generation}) AS work, (SELECT count(*) FROM author_${generation}) AS author,
            (SELECT count(*) FROM subject_${generation}) AS subject, (SELECT count(*) FROM list_${generation}) AS list`,
    values: [],
  });
  return { documents: documents ?? { work: 0, author: 0, subject: 0, list: 0 } };
}
