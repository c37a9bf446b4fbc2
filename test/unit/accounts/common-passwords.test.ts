// Updates the list from the package: `npx vitest run --project unit test/unit/accounts/common-passwords.test.ts -u`.
import frequent from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { expect, it } from "vitest";
import { PASSWORD_LENGTH } from "../../../src/worker/accounts/password-hash.ts";

it("refused passwords are the long ones of the 10,000 most frequent", async () => {
  const refused = frequent.slice(0, 10_000).filter((password) => password.length >= PASSWORD_LENGTH.min);
  expect(refused.filter((password) => /[^!-~]|[A-Z]/.test(password))).toEqual([]);
  const text = `${JSON.stringify(refused.toSorted().join(" "))}\n`;
  await expect(text).toMatchFileSnapshot("../../../src/worker/accounts/common-passwords.json");
});
