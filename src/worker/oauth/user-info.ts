import * as z from "zod";
import { DAY_SECONDS, KIB } from "../../catalog/units.ts";
import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { ownAccount, ownSession } from "../accounts/own-session.ts";
import { openBearer, sealBearer } from "../http/bearer.ts";
import { SESSION_COOKIE } from "../http/cookie.ts";
import { failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";
import { cookieText, patronOf, secretsOf } from "../http/session.ts";

const userSchema = z.object({ username: z.string(), email: z.string(), displayname: z.string() });

/** Returns what an app learns of the account; the address only with the scope for it. */
function describeUser({ username, email, displayname }: FoundAccount, scopes: readonly string[] | undefined) {
  const mayKnowEmail = scopes === undefined || scopes.includes("email") || scopes.includes("account");
  return { username, email: mayKnowEmail ? email : "", displayname };
}

export const userInfo = operation({
  id: "userInfo",
  summary: "Get the user of a token",
  tag: "oauth",
  responses: {
    200: {
      description: "User; `email` is empty without the scope `email` or `account`",
      schema: userSchema.extend({ sub: z.string().describe("`/people/<username>`") }),
    },
  },
  async handle(_input, context) {
    const { key, scopes } = await ownSession(context);
    return privateJson({ sub: key, ...describeUser(await ownAccount(context), scopes) });
  },
});

/** Lifetime of a cookie that was made from a token, in seconds. */
const COOKIE_SECONDS = DAY_SECONDS;

/** For apps with web views. The cookie has the scopes of the token, and ends with the app's access (Q855). */
export const tokenToCookie = operation({
  id: "tokenToCookie",
  summary: "Get a session cookie for an access token",
  tag: "oauth",
  form: { access_token: z.string().max(1000).describe("Access token of an app") },
  bodyBytes: 16 * KIB,
  responses: {
    200: {
      description: "Cookie set, with the scopes of the token",
      schema: z.object({ success: z.literal(true), message: z.string(), user: userSchema }),
    },
    401: { description: "The token has ended" },
  },
  async handle({ form: { access_token: token } }, context) {
    const opened = await openBearer(token, secretsOf(context.settings));
    const account = opened && (await findAccount(context.stores.patrons, opened));
    const [key] = secretsOf(context.settings);
    if (opened?.kind !== "oat" || account === undefined || key === undefined)
      throw failure("unauthenticated.token");
    const { now, sources, stores } = context;
    const made = await sealBearer("oat", { ...opened, secret: sources.newSecret(), now }, key);
    const isAdded = await patronOf(stores, opened.username).tokens.extend(
      { token: opened.id, now },
      { id: made.id, kind: "use", expires: now + COOKIE_SECONDS * 1000 },
    );
    if (!isAdded) throw failure("unauthenticated.token");
    context.cookies.push(cookieText(SESSION_COOKIE, made.sealed, { context, seconds: COOKIE_SECONDS }));
    const user = describeUser(account, opened.scopes);
    return privateJson({ success: true, message: "Session cookie set successfully", user });
  },
});
