import { findAccount } from "../../db/accounts/read.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { codeLetter } from "../accounts/letters.ts";
import type { RequestContext } from "../http/operation.ts";
import { mailerOf } from "../platform/mail.ts";
import { patronOf } from "../http/session.ts";
import { admitted } from "./local.ts";
import { type OneTimePasswords, refused } from "./provider.ts";

/** Digits of a code, and how long it works, in milliseconds. */
export const CODE_DIGITS = 6;
export const CODE_MS = 600_000;

/** Codes by mail for the accounts of this service itself. Only active ones get any; nobody is told which those are. */
export function localOneTimePasswords(
  context: Pick<RequestContext, "settings" | "stores" | "now">,
): OneTimePasswords {
  const { stores, now } = context;
  return {
    async issue(address) {
      const account = await findAccount(stores.patrons, { email: address });
      if (account?.status !== "active") return { ok: true };
      const { username, email } = account;
      const code = newCode();
      await patronOf(stores, username).setCode(hashOf(email, code), now + CODE_MS);
      await mailerOf(context).send(codeLetter({ to: email, username, code }));
      return { ok: true };
    },
    async redeem(email, code) {
      const account = await findAccount(stores.patrons, { email });
      if (account === undefined) return refused("invalid_otp");
      const isRight = await patronOf(stores, account.username).takeCode(hashOf(email, code), now);
      return isRight ? admitted(account) : refused("invalid_otp");
    },
  };
}

/** With the address, so that a code is worth nothing once the account has another one. */
function hashOf(email: string, code: string): string {
  return secretHash(`${email.toLowerCase()} ${code}`);
}

function newCode(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
}
