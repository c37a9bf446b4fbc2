// Statements read no more rows of D1 in a larger catalog, unless test/wire/growth.md gives a reason.
import { expect, test } from "vitest";
import { growthOf } from "../support/node/grown.ts";

const TIMEOUT_MS = 3_600_000;

test(
  "statements look at as many rows of D1 in a catalog of five times the size",
  async () => {
    const { unlisted, vain, statements } = await growthOf("D1");
    expect(unlisted).toEqual([]);
    expect(vain).toEqual([]);
    expect(statements).toBeGreaterThan(100);
  },
  TIMEOUT_MS,
);
