import { expect, it } from "vitest";
import { NO_PASSWORD, hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";

// The tests of the worker replace the cost (vitest.config.ts); this one has that of the service.
it("a password is hashed in five rounds of 16 MB", async () => {
  const stored = await hashPassword("correct horse");
  expect(stored).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  expect(await verifyPassword("correct horse", stored)).toBe("right");
});

it("the hash for a missing account has the same cost and length", () => {
  expect(NO_PASSWORD).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
});

it("a wrong password is refused, and a right one with another cost is outdated", async () => {
  // scrypt("correct horse", salt of 16 zero bytes, N=16, r=1, p=1)
  const stored = `scrypt$16$1$1$${"A".repeat(22)}$7NhokSmBG5NzCn6JJiJG9qnYF8Z_iKWN8uhFYxSOR8Y`;
  expect(await verifyPassword("correct horse", stored)).toBe("outdated");
  expect(await verifyPassword("correct house", stored)).toBe("wrong");
});
