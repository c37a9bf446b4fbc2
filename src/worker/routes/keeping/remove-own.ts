import * as z from "zod";
import { type FoundAccount, readPasswordHash } from "../../../db/accounts/read.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownAccount } from "../../accounts/own-account.ts";
import { WRONG_PASSWORD, provenPassword } from "../../accounts/own-password.ts";
import { privateJson } from "../../http/reply.ts";
import type { Problem } from "../../accounts/problems.ts";
import { isForPeople } from "../../accounts/page-or-json.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { badData } from "../../http/errors.ts";
import { startRemoval } from "../../keeping/start-removal.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { removePage } from "../../pages/keeping/remove-page.ts";
import { SESSION_COOKIE } from "../../http/cookie.ts";
import { deletedCookie } from "../../http/session.ts";
import { anonymizedSchema } from "./anonymize.ts";

const UNCONFIRMED: Problem = {
  field: "confirm",
  code: "unconfirmed",
  message: "Please write your username here, to confirm.",
};

/** `POST /account/remove`: removes the own account (Q231). */
export const removeOwn = operation({
  id: "removeOwn",
  summary: "Remove the own account",
  tag: "account",
  form: {
    confirm: z.string().default("").describe("The username"),
    password: z.string().default("").describe("The password, where the account has one"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Removed: what becomes of it; for people a page",
      schema: anonymizedSchema,
      also: ["text/html"],
    },
    400: { description: "Not confirmed, a wrong password, or the last administrator" },
  },
  async handle({ form }, context) {
    const account = await ownAccount(context);
    const hash = await readPasswordHash(context.stores.patrons, account.username);
    const hasPassword = typeof hash === "string";
    const problem = await problemOf(context, account, { ...form, hasPassword });
    if (problem !== undefined) {
      if (!isForPeople(context)) throw badData(problem.message, { field: problem.field });
      return removePage({ username: account.username, hasPassword, problems: [problem] });
    }
    const result = await startRemoval(context, account);
    context.cookies.push(deletedCookie(SESSION_COOKIE, context));
    if (!isForPeople(context)) return privateJson(result);
    return messagePage({
      title: "Your account is removed",
      text: "You are logged out. What is left of the account is being deleted now.",
      link: { href: "/", text: "To the start" },
    });
  },
});

async function problemOf(
  context: RequestContext,
  { username }: FoundAccount,
  given: { confirm: string; password: string; hasPassword: boolean },
): Promise<Problem | undefined> {
  if (given.confirm.trim().toLowerCase() !== username.toLowerCase()) return UNCONFIRMED;
  if (!given.hasPassword) return undefined;
  const proof = await provenPassword(context, { username, password: given.password });
  return proof === undefined ? WRONG_PASSWORD : undefined;
}
