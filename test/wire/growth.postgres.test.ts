// Statements read no more rows of PostgreSQL in a larger catalog, unless test/wire/growth.md gives a reason.
import { expect, test } from "vitest";
import { postgresPrograms } from "../../scripts/lib/postgres.ts";
import { growthOf } from "../support/node/grown.ts";
import { reportSkip } from "../support/node/skips.ts";

const TIMEOUT_MS = 3_600_000;
const isHere = postgresPrograms() !== undefined;
if (!isHere) reportSkip("postgres");

test.skipIf(!isHere)(
  "statements look at as many rows of PostgreSQL in a catalog of five times the size",
  async () => {
    const { unlisted, vain, statements } = await growthOf("PostgreSQL");
    expect(unlisted).toEqual([]);
    expect(vain).toEqual([]);
    expect(statements).toBeGreaterThan(100);
  },
  TIMEOUT_MS,
);
