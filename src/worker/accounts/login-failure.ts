import { CarrelError } from "../http/errors.ts";
import type { AuthReason } from "../identity/provider.ts";

const PROVIDER_DOWN = "The accounts cannot be reached at the moment. Please try again in a few minutes.";
const WRONG_PASSWORD = "The password is not right.";
const UNVERIFIED =
  "The e-mail address is not confirmed yet. Please follow the link in the mail that we sent you.";

/** What people read for the codes of patrons.md 1.3. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_email: "This is not an e-mail address.",
  account_not_found: "There is no account with this name.",
  account_bad_password: WRONG_PASSWORD,
  account_incorrect_password: WRONG_PASSWORD,
  account_not_verified: UNVERIFIED,
  ia_account_not_verified: UNVERIFIED,
  account_blocked: "This account is blocked.",
  account_locked: "This account is locked.",
  accounts_not_connected: "This account is not linked to an account here.",
  missing_fields: "Please fill in all fields.",
  max_retries_exceeded: "No username could be found for the account. Please try again.",
  invalid_s3keys: "The keys are not right.",
  request_timeout: PROVIDER_DOWN,
  security_error: PROVIDER_DOWN,
  undefined_error: "The login could not be completed. Please try again.",
};

/** The provider's own failures: nobody has guessed anything. */
const NO_ATTEMPT = new Set(["request_timeout", "security_error", "undefined_error", "max_retries_exceeded"]);

/** What people read for a code. */
export function loginMessage(reason: AuthReason): string {
  return MESSAGES[reason] ?? `You could not be logged in (${reason}).`;
}

/** True when a failed login may have been an attempt to guess. */
export function isAttempt(reason: AuthReason): boolean {
  return !NO_ATTEMPT.has(reason);
}

/** 400 of a login (Q150): the code is for programs, the message for people. */
export function loginFailed(reason: AuthReason): CarrelError {
  const message = loginMessage(reason);
  return new CarrelError(400, reason, {
    message,
    body: { detail: message, error: reason, errorDisplayString: message },
  });
}
