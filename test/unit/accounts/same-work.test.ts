// The time of a failed login does not tell whether the account exists (Q148).
import { createHook } from "node:async_hooks";
import { expect, it } from "vitest";
import { authenticateAccount } from "../../../src/worker/accounts/local-provider.ts";
import { verifyPassword } from "../../../src/worker/accounts/password-hash.ts";

const NO_DATABASE = {
  prepare: () => {
    throw new Error("the database is not queried without an account");
  },
};

// password-hash.test.ts holds both to the same cost.
it("a login without an account hashes once, like one with a wrong password", async () => {
  const stored = `scrypt$16$1$1$${"A".repeat(22)}$${"A".repeat(43)}`;
  expect(await hashesDuring(() => verifyPassword("a wrong one", stored))).toBe(1);
  const unknown = async () => {
    // A database that is never called.
    const result = await authenticateAccount(NO_DATABASE as unknown as D1Database, undefined, "a wrong one");
    expect(result).toEqual({ ok: false, reason: "account_not_found" });
  };
  expect(await hashesDuring(unknown)).toBe(1);
});

/** Counts the passwords hashed while `work` runs. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") count += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return count;
}
