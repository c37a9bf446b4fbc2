import * as z from "zod";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { seeOther } from "../http/reply.ts";
import { type LoggedIn, admit, loginOf } from "./authentication.ts";
import { CODE_FAILURES, attempt, byAddress } from "./budgets.ts";
import { identityProvider } from "./identity-provider.ts";
import { cookieText } from "../http/session.ts";

/** How long a page may take an activation for a fresh one, in seconds. */
const ACTIVATION_SECONDS = 300;

/** `GET /account/verify`: the link of the mail after a registration. It activates the account and logs in. */
export const verify = operation({
  id: "verifyAccount",
  summary: "Confirm the address of a new account",
  tag: "account",
  query: {
    t: z.string().default("").describe("Code out of the mail"),
    redirect: z.string().default("").describe("Path on this site to go to"),
  },
  inReadOnly: false,
  responses: { 303: { description: "Logged in, or to the registration when the code is not good" } },
  async handle({ query: { t: token, redirect } }, context) {
    // Q157: a link that is only looked at stays good.
    if (token === "" || context.request.method === "HEAD") return seeOther("/account/create");
    const login = await activated(context, token);
    if (login === undefined) {
      return seeOther((await context.session()) === undefined ? "/account/create" : "/account/books");
    }
    await admit(context, login, false);
    // Says so to pages.
    context.cookies.push(cookieText("ol_activation", "1", { context, seconds: ACTIVATION_SECONDS }));
    return seeOther(redirectTarget(redirect) ?? "/");
  },
});

function activated(context: RequestContext, token: string): Promise<LoggedIn | undefined> {
  return attempt(context, byAddress(context, "code", CODE_FAILURES), async () => {
    const result = await identityProvider(context).activate?.(token);
    const login = result === undefined ? undefined : await loginOf(context, result);
    const value = login?.ok === true ? login : undefined;
    return { value, isCounted: value === undefined };
  });
}

/** `GET /account/verify/{code}`: the link in its older form. */
export const verifyCode = operation({
  id: "verifyAccountCode",
  summary: "Older form of the link that confirms an address",
  tag: "account",
  path: { code: z.string() },
  responses: { 303: { description: "To /account/verify" } },
  handle: ({ path: { code } }) => seeOther(`/account/verify?t=${encodeURIComponent(code)}`),
});
