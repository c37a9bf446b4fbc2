import { isEmail } from "../../catalog/accounts.ts";
import type { RequestContext } from "../http/operation.ts";
import { CarrelError } from "../http/errors.ts";
import type { AuthReason } from "../identity/provider.ts";
import { identityProvider } from "../identity/providers.ts";
import { attempt, spend } from "./budgets.ts";
import { admit, loginOf, loginSpenders } from "./login.ts";
import { isAttempt } from "./login-failure.ts";
import { mailAfterwards, mailSpenders } from "./mail-link.ts";

/** Seconds after which somebody may ask again whom the provider has refused a further code. */
export const CODE_RETRY_SECONDS = 60;

/**
 * Has a code mailed with which somebody logs in (patrons.md 1.5, Q159). Returns why that cannot be; throws a 429, for
 * unknown addresses too.
 */
export async function issueCode(context: RequestContext, email: string): Promise<AuthReason | undefined> {
  if (email === "") return "missing_email";
  if (!isEmail(email)) return "invalid_email";
  const { otp } = identityProvider(context);
  if (otp === undefined) return "otp_issue_failed";
  await limited(() => spend(context, mailSpenders(context, email)));
  if (context.settings.IDENTITY_PROVIDER === "local") {
    // Neither the answer nor its time tells whether there is an account.
    mailAfterwards(context, async () => void (await otp.issue(email, context.client)));
    return undefined;
  }
  const { ok, rateLimited = false } = await otp.issue(email, context.client);
  if (rateLimited) throw rateLimit({ "Retry-After": String(CODE_RETRY_SECONDS) });
  return ok ? undefined : "otp_issue_failed";
}

/** Logs somebody in who has got a code by mail. Returns why that cannot be; throws a 429. */
export async function logInByCode(
  context: RequestContext,
  { email, code }: { readonly email: string; readonly code: string },
): Promise<AuthReason | undefined> {
  if (email === "" || code === "") return "missing_fields";
  const { otp } = identityProvider(context);
  if (otp === undefined) return "invalid_otp";
  const spenders = loginSpenders(context, { kind: "email", email, password: "" });
  const login = await limited(() =>
    attempt(context, spenders, async () => {
      const value = await loginOf(context, await otp.redeem(email, code, context.client));
      return { value, isCounted: !value.ok && isAttempt(value.reason) };
    }),
  );
  if (!login.ok) return login.reason;
  try {
    await admit(context, login, false);
  } catch (error) {
    if (error instanceof CarrelError && error.status === 400) return "otp_redeem_incomplete";
    throw error;
  }
  return undefined;
}

/** Says "too much" as these routes do. */
async function limited<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CarrelError && error.status === 429 ? rateLimit(error.headers) : error;
  }
}

function rateLimit(headers: Readonly<Record<string, string>>): CarrelError {
  return new CarrelError(429, "rate_limited", { body: { error: "rate_limited" }, headers });
}
