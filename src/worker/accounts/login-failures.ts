import { USERNAME_LENGTH } from "../../catalog/accounts.ts";
import { english } from "../../catalog/texts.ts";
import { type Failure, type FailureKey, failure } from "../http/failure.ts";
import type { Problem } from "./account-form.ts";
import type { AuthReason } from "./identity.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";

/** Refusal of an identity provider: its text, and the field of a form that it concerns, the email address by default. */
interface Refusal {
  readonly key: FailureKey;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly field?: "username" | "password";
  /** True if the provider failed: the login was no attempt to guess a password. */
  readonly isOutage?: true;
}

/** Q148: the text does not say if the name or the password is wrong. */
const WRONG_LOGIN: Refusal = { key: "bad_request.wrong_login" };
const UNVERIFIED: Refusal = { key: "bad_request.unverified" };
const BLOCKED: Refusal = { key: "bad_request.account_blocked" };
const BAD_EMAIL: Refusal = { key: "bad_data.email" };
const BAD_NAME: Refusal = { key: "bad_request.new_username", values: USERNAME_LENGTH, field: "username" };
const PROVIDER_DOWN: Refusal = { key: "unavailable.accounts", isOutage: true };
const NO_LOGIN: Refusal = { key: "bad_request.login", isOutage: true };

export const EMAIL_REGISTERED = "email_registered";

const REFUSALS: ReadonlyMap<AuthReason, Refusal> = new Map<AuthReason, Refusal>([
  ["invalid_email", BAD_EMAIL],
  ["account_not_found", WRONG_LOGIN],
  ["account_bad_password", WRONG_LOGIN],
  ["account_incorrect_password", WRONG_LOGIN],
  ["account_not_verified", UNVERIFIED],
  ["ia_account_not_verified", UNVERIFIED],
  ["account_blocked", BLOCKED],
  ["account_locked", BLOCKED],
  ["accounts_not_connected", { key: "bad_request.not_linked" }],
  ["missing_fields", { key: "bad_request.fields" }],
  ["max_retries_exceeded", NO_LOGIN],
  ["invalid_s3keys", { key: "bad_request.login_keys" }],
  ["request_timeout", PROVIDER_DOWN],
  ["security_error", PROVIDER_DOWN],
  ["undefined_error", NO_LOGIN],
  ["password_login", { key: "bad_request.password_login" }],
  ["login_expired", { key: "bad_request.login_expired" }],
  ["login_answer", { key: "bad_request.login_answer" }],
  ["login_refused", { key: "bad_request.login_refused", isOutage: true }],
  ["login_no_email", { key: "bad_request.login_no_email", isOutage: true }],
  ["login_unverified", { key: "bad_request.login_unverified" }],
  ["bad_email", BAD_EMAIL],
  [EMAIL_REGISTERED, { key: "bad_data.email_taken" }],
  ["bad_password", { key: "bad_request.new_password", values: PASSWORD_LENGTH, field: "password" }],
  ["bad_username", BAD_NAME],
  ["bad_screenname", BAD_NAME],
  ["username_registered", { key: "bad_request.username_taken", field: "username" }],
]);

function refusalOf(reason: AuthReason): Refusal {
  return REFUSALS.get(reason) ?? { key: "bad_request.login_reason", values: { reason } };
}

/** True if a failed login may have been an attempt to guess. */
export function isAttempt(reason: AuthReason): boolean {
  return REFUSALS.get(reason)?.isOutage !== true;
}

/** Builds the 400 of a failed login (Q150), with a code for programs and a message for people. `more`: its values. */
export function loginFailed(reason: AuthReason, more: Refusal["values"] = {}): Failure {
  const refusal = refusalOf(reason);
  const { key } = refusal;
  const values = { ...refusal.values, ...more };
  const message = english({ key, values });
  const body = { detail: message, error: reason, errorDisplayString: message };
  return failure(key, values, { status: 400, code: reason, body });
}

/** Returns the problem of a form for a refusal of the provider. */
export function problemOf(reason: AuthReason): Problem {
  const { key, values, field = "email" } = refusalOf(reason);
  return { field, code: reason, text: { key, values } };
}
