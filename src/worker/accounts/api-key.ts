import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import type { FoundAccount } from "../../db/accounts/read-accounts.ts";
import { type ApiKey, findApiKey } from "../../db/accounts/read-secrets.ts";
import { createApiKey, deleteApiKey } from "../../db/accounts/write-secrets.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { mailerOf } from "../platform/mail.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { type Problem, ACCOUNT_BODY_BYTES, passwordField, toValidationError } from "./account-form.ts";
import { accountPage } from "../ui/action-answer.ts";
import { WRONG_PASSWORD, confirmPassword } from "./authentication.ts";
import { keyMadeNotice, mailAfterwards } from "./account-emails.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { newApiKey } from "./secret.ts";
import { notice, notify } from "../ui/notice.ts";
import { day, moment, reason, t } from "../ui/words.ts";

/** Requires the password (Q155), because a key pair still works after all sessions have ended. */
export const makeApiKey = operation({
  id: "makeApiKey",
  summary: "Create an API key pair",
  tag: "account",
  form: { password: z.string().default("").describe("Password of the account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "Key pair",
      schema: z.object({ access: z.string(), secret: z.string() }),
      also: ["text/html"],
    },
  },
  async handle({ form: { password } }, context) {
    const account = await ownAccount(context);
    const result = await createKey(context, account, password);
    if (!wantsHtml(context.request)) {
      if ("problem" in result) throw toValidationError([result.problem]);
      return privateJson(result);
    }
    const stored = await findApiKey(context.stores.patrons, account.username);
    return "problem" in result ? apiKeyPage(stored, result) : apiKeyPage(stored, { newKey: result });
  },
});

async function createKey(
  context: RequestContext,
  account: FoundAccount,
  password: string,
): Promise<ApiKey | { problem: Problem }> {
  const { username, email: to } = account;
  const { proof, problem } = await confirmPassword(context, account, password);
  if (problem !== undefined) return { problem };
  const key = { ...newApiKey(), username, created: formatDatetime(context.now), proof };
  if (!(await createApiKey(context.stores.patrons, key))) return { problem: WRONG_PASSWORD };
  mailAfterwards(context, () => mailerOf(context).send(keyMadeNotice({ to, username })));
  await audit(context, { event: "key-made", subject: `/people/${username}` });
  return { access: key.access, secret: key.secret };
}

type StoredKey = Awaited<ReturnType<typeof findApiKey>>;

const LEAD = {
  access: markup`<code>access</code>`,
  secret: markup`<code>secret</code>`,
  address: markup`<code>/account/login</code>`,
};

function apiKeyPage(key: StoredKey, { newKey, problem }: { newKey?: ApiKey; problem?: Problem } = {}): Reply {
  const body = markup`<p>${t("accounts.key_lead", LEAD)}</p>
${newKey === undefined ? storedKeyFacts(key) : newKeyFacts(newKey)}
${form({
  action: "/account/api-key",
  fields: [{ ...passwordField(), ...(problem !== undefined && { error: reason(problem.text) }) }],
  submit: t(key === undefined ? "accounts.key_make" : "accounts.key_make_other"),
  more: key !== undefined && markup`<p class="hint">${t("accounts.key_replaces")}</p>`,
})}
${key !== undefined && form({ action: "/account/api-key/delete", fields: [], submit: t("accounts.key_delete") })}`;
  return accountPage({ title: t("accounts.keys"), body, status: problem === undefined ? 200 : 422 });
}

function storedKeyFacts(key: StoredKey): Markup | undefined {
  if (key === undefined) return markup`<p>${t("accounts.key_none")}</p>`;
  return factList([
    [t("accounts.access"), key.access],
    [t("accounts.made"), moment(key.created)],
    [t("accounts.last_used"), key.lastUsed === null ? t("accounts.never") : day(key.lastUsed)],
  ]);
}

function newKeyFacts({ access, secret }: ApiKey): Markup {
  return markup`${notice("good", t("accounts.key_made"))}
${factList([
  [t("accounts.access"), markup`<code>${access}</code>`],
  [t("accounts.secret"), markup`<code>${secret}</code>`],
])}`;
}

export const apiKeyForm = operation({
  id: "apiKeyPage",
  summary: "Show the API key page",
  tag: "account",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return apiKeyPage(await findApiKey(context.stores.patrons, username));
  },
});

export const removeApiKey = operation({
  id: "removeApiKey",
  summary: "Delete your API key pair",
  tag: "account",
  responses: {
    200: { description: "Key pair deleted", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "For browsers: redirect to the API key page" },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    await deleteApiKey(context.stores.patrons, username);
    await audit(context, { event: "key-deleted", subject: `/people/${username}` });
    notify(context, "accounts.key_deleted");
    return wantsHtml(context.request) ? seeOther("/account/api-key") : privateJson({ status: "ok" });
  },
});
