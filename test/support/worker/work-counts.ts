import { env } from "cloudflare:workers";
import { SHELVES } from "../../../src/catalog/patrons/shelves.ts";
import type { ChangedCounts } from "../../../src/db/patrons/counts.ts";

type CountedWork = Pick<ChangedCounts, "workId" | "counts">;

const SET = `
  INSERT INTO work_count
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5, e.value->>6, e.value->>7,
         e.value->>8, e.value->>9, (SELECT coalesce(max(version), 0) FROM work_count) + e.key + 1
  FROM json_each(?1) e WHERE true
  ON CONFLICT (work_id) DO UPDATE SET
    ratings_1 = excluded.ratings_1, ratings_2 = excluded.ratings_2, ratings_3 = excluded.ratings_3,
    ratings_4 = excluded.ratings_4, ratings_5 = excluded.ratings_5,
    ${SHELVES.map(({ count }) => `${count} = excluded.${count}`).join(", ")}, version = excluded.version`;

/** Stores counts of works that no patron has made, each with a version above all others. */
export async function setWorkCounts(works: readonly CountedWork[]): Promise<void> {
  await env.PATRONS.prepare(SET)
    .bind(JSON.stringify(works.map(valuesOf)))
    .run();
}

function valuesOf({ workId, counts }: CountedWork): number[] {
  return [workId, ...counts.ratings, ...SHELVES.map(({ member }) => counts[member])];
}
