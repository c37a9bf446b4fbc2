import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { countAwards } from "../../../../src/db/patrons/counts.ts";
import { storeActivity } from "../../../../src/db/patrons/activity.ts";
import { addAccounts, workMessage } from "../../../support/worker/activity.ts";
import { countedDatabase } from "../../../support/worker/statements.ts";

const READERS = 300;
const SHELVED = { shelf: 3, logged: 1, moved: 1 } as const;

beforeAll(async () => {
  const names = Array.from({ length: READERS }, (_, index) => `reader${index}`);
  await addAccounts(...names);
  const shelves = names.map((name) => workMessage(name, 1, 1, SHELVED));
  const books = Array.from({ length: READERS }, (_, index) =>
    workMessage("reader0", index + 2, index + 2, SHELVED),
  );
  const award = workMessage("reader0", 1, 1000, { ...SHELVED, award: { id: 1, topic: "Best" } });
  await storeActivity(env.PATRONS, [...shelves, ...books, award]);
});

it.each<[Parameters<typeof countAwards>[1]]>([
  [{}],
  [{ work: 1 }],
  [{ patron: "reader0" }],
  [{ topic: "Best" }],
  [{ work: 1, patron: "reader0" }],
])("counts awards of %o without reading all shelf rows", async (filter) => {
  const { database, statements } = countedDatabase(env.PATRONS);
  expect(await countAwards(database, filter)).toBe(1);
  const again = env.PATRONS.prepare(statements.join()).bind(...Object.values(filter));
  expect((await again.all()).meta.rows_read).toBeLessThan(10);
});
