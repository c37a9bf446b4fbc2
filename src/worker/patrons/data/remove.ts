import * as z from "zod";
import { type FoundAccount, readPasswordHash } from "../../../db/accounts/read.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { ownAccount } from "../../accounts/own-session.ts";
import { WRONG_PASSWORD, provenPassword } from "../../accounts/authentication.ts";
import { isForPeople } from "../../accounts/page-or-json.ts";
import type { Problem } from "../../accounts/problems.ts";
import { anonymizedSchema } from "../../admin/anonymize.ts";
import { startRemoval } from "../../admin/removal.ts";
import { SESSION_COOKIE } from "../../http/cookie.ts";
import { badData } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, privateJson } from "../../http/reply.ts";
import { deletedCookie } from "../../http/session.ts";
import { accountPage, messagePage } from "../../accounts/account-page.ts";
import { form } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { link } from "../../ui/parts.ts";

/** What the page of the removal knows. */
interface RemovePage {
  readonly username: string;
  readonly hasPassword: boolean;
  readonly problems?: readonly Problem[];
}

/** The form with which somebody removes his account. */
function removePage({ username, hasPassword, problems = [] }: RemovePage): Reply {
  const errorOf = (field: string): string | undefined =>
    problems.find((problem) => problem.field === field)?.message;
  const password = {
    name: "password",
    label: "Your password",
    type: "password",
    required: true,
    autocomplete: "current-password",
    error: errorOf("password"),
  } as const;
  const body = markup`<p>This cannot be undone. Your shelves, notes, reading dates, goals, lists, loans, your profile and your address
are deleted. How often a book was read and rated stays counted, under no name. What you changed in the catalog stays in its
history.</p>
<p>You can ${link("/account/import", "download what you have here")} first.</p>
${form({
  action: "/account/remove",
  fields: [
    {
      name: "confirm",
      label: `Your username, ${username}`,
      required: true,
      autocomplete: "off",
      error: errorOf("confirm"),
    },
    ...(hasPassword ? [password] : []),
  ],
  submit: "Remove my account",
})}`;
  return accountPage({ title: "Remove your account", body, status: problems.length > 0 ? 400 : 200 });
}

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
  async handle({ form: sent }, context) {
    const account = await ownAccount(context);
    const hash = await readPasswordHash(context.stores.patrons, account.username);
    const hasPassword = typeof hash === "string";
    const problem = await problemOf(context, account, { ...sent, hasPassword });
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

/** `GET /account/remove`: the form with which somebody removes his account. */
export const removeOwnForm = operation({
  id: "removeOwnPage",
  summary: "Page on which one removes the own account",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownAccount(context);
    const hash = await readPasswordHash(context.stores.patrons, username);
    return removePage({ username, hasPassword: typeof hash === "string" });
  },
});
