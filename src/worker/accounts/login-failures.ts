import { CarrelError } from "../http/errors.ts";
import type { Words } from "../ui/words.ts";
import type { AuthReason } from "./identity.ts";

interface LoginFailure {
  message: string;
  /** Translated text for the login page; without one, the page shows the English message. */
  words?: Words;
  /** True if the provider failed: the login was no attempt to guess a password. */
  isOutage?: boolean;
}

/** Q148: the message does not say if the name or the password is wrong. */
const WRONG_LOGIN: LoginFailure = { message: "Wrong email or password.", words: "accounts.wrong_login" };
const UNVERIFIED: LoginFailure = {
  message: "Confirm your email first: use the link we sent you.",
  words: "accounts.unverified",
};
const PROVIDER_DOWN: LoginFailure = {
  message: "Accounts are unavailable right now. Try again in a few minutes.",
  isOutage: true,
};

const FAILURES: Readonly<Record<string, LoginFailure>> = {
  invalid_email: { message: "Enter a valid email address.", words: "accounts.bad_email" },
  account_not_found: WRONG_LOGIN,
  account_bad_password: WRONG_LOGIN,
  account_incorrect_password: WRONG_LOGIN,
  account_not_verified: UNVERIFIED,
  ia_account_not_verified: UNVERIFIED,
  account_blocked: { message: "This account is blocked.", words: "accounts.blocked" },
  account_locked: { message: "This account is locked.", words: "accounts.blocked" },
  accounts_not_connected: { message: "This account isn't linked to an account here." },
  missing_fields: { message: "Fill in all fields.", words: "accounts.fill_in" },
  max_retries_exceeded: { message: "Login failed. Try again.", isOutage: true },
  invalid_s3keys: { message: "The keys are not right." },
  request_timeout: PROVIDER_DOWN,
  security_error: PROVIDER_DOWN,
  undefined_error: { message: "Login failed. Try again.", words: "accounts.bad_login", isOutage: true },
};

export function loginMessage(reason: AuthReason): string {
  return FAILURES[reason]?.message ?? `You could not be logged in (${reason}).`;
}

export function loginWords(reason: AuthReason): Words | undefined {
  return FAILURES[reason]?.words;
}

/** True if a failed login may have been an attempt to guess. */
export function isAttempt(reason: AuthReason): boolean {
  return FAILURES[reason]?.isOutage !== true;
}

/** Builds the 400 of a failed login (Q150), with a code for programs and a message for people. */
export function loginFailed(reason: AuthReason): CarrelError {
  const message = loginMessage(reason);
  return new CarrelError(400, reason, {
    message,
    body: { detail: message, error: reason, errorDisplayString: message },
  });
}
