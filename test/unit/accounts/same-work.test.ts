// Nobody learns from the time that an answer takes whether there is an account (Q148).
import { expect, it } from "vitest";
import { authenticateAccount } from "../../../src/worker/accounts/local-provider.ts";
import { hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";

const NO_DATABASE = {
  prepare: () => {
    throw new Error("an account that there is none of is not looked up");
  },
};

it("a login to no account takes as long as one with a wrong password", async () => {
  const stored = await hashPassword("the right one");
  const wrong = await spent(() => verifyPassword("a wrong one", stored));
  const unknown = await spent(async () => {
    // A database of which nothing is asked.
    const result = await authenticateAccount(NO_DATABASE as unknown as D1Database, undefined, "a wrong one");
    expect(result).toEqual({ ok: false, reason: "account_not_found" });
  });
  expect(unknown).toBeGreaterThan(wrong / 2);
});

/** The least of three times, in milliseconds: other programs only add to it. */
async function spent(work: () => Promise<unknown>): Promise<number> {
  const times = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
