import { describe, it } from "vitest";
import { expectAgreement } from "../../support/worker/random-lending.ts";

describe("random lending actions", () => {
  it.each([1, 2])("keep desks, tables and patrons in agreement over 40 steps (seed %i)", async (seed) => {
    await expectAgreement(seed, 40);
  });
});
