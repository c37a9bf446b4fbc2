import { describe, it } from "vitest";
import { expectAgreement } from "../../support/worker/random-lending.ts";

describe("random lending actions", () => {
  it("keep desks, tables and patrons in agreement", async () => {
    await expectAgreement(1, 12);
  });
});
