import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import type { FoundAccount } from "../../db/accounts/read.ts";
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
import { type Problem, ACCOUNT_BODY_BYTES, passwordField, problemsFound } from "./account-form.ts";
import { accountPage } from "./account-page.ts";
import { WRONG_PASSWORD, provenOwner } from "./authentication.ts";
import { missingField } from "./availability.ts";
import { keyMadeLetter, mailAfterwards } from "./letters.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { newApiKey } from "./secret.ts";
import { moment } from "../ui/words.ts";

/**
 * `POST /account/api-key`: makes a key pair, instead of the one there was. Its secret is shown this once. The password is
 * asked for (Q155): who has keys stays in when sessions end.
 */
export const makeApiKey = operation({
  id: "makeApiKey",
  summary: "Make a key pair for programs",
  tag: "account",
  form: { password: z.string().default("").describe("Password of the account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "The pair",
      schema: z.object({ access: z.string(), secret: z.string() }),
      also: ["text/html"],
    },
  },
  async handle({ form: { password } }, context) {
    const account = await ownAccount(context);
    const made = await madeKey(context, account, password);
    if (!wantsHtml(context.request)) {
      if ("problem" in made) throw problemsFound([made.problem]);
      return privateJson(made);
    }
    const stored = await findApiKey(context.stores.patrons, account.username);
    return "problem" in made ? apiKeyPage(stored, made) : apiKeyPage(stored, { made });
  },
});

/** Makes a key pair for whoever knows the password, and tells him by mail; or what is wrong. */
async function madeKey(
  context: RequestContext,
  account: FoundAccount,
  password: string,
): Promise<ApiKey | { readonly problem: Problem }> {
  if (password === "") return { problem: missingField("password") };
  const { username, email: to } = account;
  const proof = await provenOwner(context, account, password);
  if (proof === undefined) return { problem: WRONG_PASSWORD };
  const key = { ...newApiKey(), username, created: datetimeText(context.now), proof };
  if (!(await createApiKey(context.stores.patrons, key))) return { problem: WRONG_PASSWORD };
  mailAfterwards(context, () => mailerOf(context).send(keyMadeLetter({ to, username })));
  await audit(context, { event: "key-made", subject: `/people/${username}` });
  return { access: key.access, secret: key.secret };
}

type StoredKey = Awaited<ReturnType<typeof findApiKey>>;

/** What has just been tried on the page: `made` is a new key, whose secret is shown this once. */
interface Tried {
  readonly made?: ApiKey;
  readonly problem?: Problem;
}

/** The page of a patron's key pair. */
function apiKeyPage(key: StoredKey, { made, problem }: Tried = {}): Reply {
  const body = markup`<p>With a key pair a program logs in as you, without your password: it sends
<code>access</code> and <code>secret</code> as JSON to <code>/account/login</code>. A new password ends it.</p>
${made === undefined ? keyOf(key) : newKey(made)}
${form({
  action: "/account/api-key",
  fields: [{ ...passwordField(), error: problem?.message }],
  submit: key === undefined ? "Make a key pair" : "Make another key pair",
  more:
    key !== undefined &&
    markup`<p class="hint">Programs with the present pair can no longer log in then.</p>`,
})}
${key !== undefined && form({ action: "/account/api-key/delete", fields: [], submit: "Delete the key pair" })}`;
  return accountPage({ title: "Keys for programs", body, status: problem === undefined ? 200 : 422 });
}

function keyOf(key: StoredKey): Markup | undefined {
  if (key === undefined) return markup`<p>You have none.</p>`;
  return factList([
    ["Access", key.access],
    ["Made", moment(key.created)],
    ["Last used", key.lastUsed ?? "never"],
  ]);
}

function newKey({ access, secret }: ApiKey): Markup {
  return markup`<div role="status"><p>This is your key pair. The secret is not shown again.</p>
${factList([
  ["Access", markup`<code>${access}</code>`],
  ["Secret", markup`<code>${secret}</code>`],
])}</div>`;
}

/** `GET /account/api-key`: the own key pair, without its secret. */
export const apiKeyForm = operation({
  id: "apiKeyPage",
  summary: "Page of the own key pair for programs",
  tag: "account",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return apiKeyPage(await findApiKey(context.stores.patrons, username));
  },
});

/** `DELETE /account/api-key`, or `POST /account/api-key/delete` by a form: the pair is void. */
export const removeApiKey = operation({
  id: "removeApiKey",
  summary: "Delete the key pair for programs",
  tag: "account",
  responses: {
    200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "For people: back to the page" },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    await deleteApiKey(context.stores.patrons, username);
    await audit(context, { event: "key-deleted", subject: `/people/${username}` });
    return wantsHtml(context.request) ? seeOther("/account/api-key") : privateJson({ status: "ok" });
  },
});
