import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/worker/accounts/password-hash.ts";

// The tests of the worker hash at a cost of nothing (vitest.config.ts): this is the one that the service has.
it("a password is hashed in five rounds of 16 MB", async () => {
  const stored = await hashPassword("correct horse");
  expect(stored).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  expect(await verifyPassword("correct horse", stored)).toBe("right");
  expect(await verifyPassword("correct house", stored)).toBe("wrong");
});
