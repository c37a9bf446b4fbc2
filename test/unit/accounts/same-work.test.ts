// Nobody learns from the time that an answer takes whether there is an account (Q148).
import { createHook } from "node:async_hooks";
import { expect, it } from "vitest";
import { authenticateAccount } from "../../../src/worker/accounts/local-provider.ts";
import { NO_PASSWORD, hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";

const NO_DATABASE = {
  prepare: () => {
    throw new Error("an account that there is none of is not looked up");
  },
};

it("a login to no account hashes once, as one with a wrong password does, and at the same cost", async () => {
  const stored = await hashPassword("the right one");
  const shape = (hash: string) => [...hash.split("$").slice(0, 4), hash.length];
  expect(shape(NO_PASSWORD)).toEqual(shape(stored));
  expect(await hashes(() => verifyPassword("a wrong one", stored))).toBe(1);
  const unknown = async () => {
    // A database of which nothing is asked.
    const result = await authenticateAccount(NO_DATABASE as unknown as D1Database, undefined, "a wrong one");
    expect(result).toEqual({ ok: false, reason: "account_not_found" });
  };
  expect(await hashes(unknown)).toBe(1);
});

/** How often passwords were hashed meanwhile. */
async function hashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") count += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return count;
}
