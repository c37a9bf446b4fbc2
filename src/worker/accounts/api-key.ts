import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type ApiKey, findApiKey } from "../../db/accounts/read-secrets.ts";
import { createApiKey, deleteApiKey } from "../../db/accounts/write-secrets.ts";
import { wantsHtml } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";
import { form } from "../ui/form.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { definitions, moment } from "../ui/parts.ts";
import { accountPage } from "./account-page.ts";
import { ownSession } from "./own-session.ts";
import { newApiKey } from "./secret.ts";

/** `POST /account/api-key`: makes a key pair, instead of the one there was. Its secret is shown this once. */
export const makeApiKey = operation({
  id: "makeApiKey",
  summary: "Make a key pair for programs",
  tag: "account",
  responses: {
    200: {
      description: "The pair",
      schema: z.object({ access: z.string(), secret: z.string() }),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    const key = newApiKey();
    const created = datetimeText(context.now);
    await createApiKey(context.stores.patrons, { ...key, username, created });
    await audit(context, { event: "key-made", subject: `/people/${username}` });
    if (wantsHtml(context.request)) return apiKeyPage({ access: key.access, created }, key);
    return privateJson(key);
  },
});

type StoredKey = Awaited<ReturnType<typeof findApiKey>>;

/** The page of a patron's key pair. `made` is a new one, whose secret is shown this once. */
function apiKeyPage(key: StoredKey, made?: ApiKey): Reply {
  const body = markup`<p>With a key pair a program logs in as you, without your password: it sends
<code>access</code> and <code>secret</code> as JSON to <code>/account/login</code>.</p>
${made === undefined ? keyOf(key) : newKey(made)}
${form({
  action: "/account/api-key",
  fields: [],
  submit: key === undefined ? "Make a key pair" : "Make another key pair",
  more:
    key !== undefined &&
    markup`<p class="hint">Programs with the present pair can no longer log in then.</p>`,
})}
${key !== undefined && form({ action: "/account/api-key/delete", fields: [], submit: "Delete the key pair" })}`;
  return accountPage({ title: "Keys for programs", body });
}

function keyOf(key: StoredKey): Markup | undefined {
  if (key === undefined) return markup`<p>You have none.</p>`;
  return definitions([
    ["Access", key.access],
    ["Made", moment(key.created)],
  ]);
}

function newKey({ access, secret }: ApiKey): Markup {
  return markup`<div role="status"><p>This is your key pair. The secret is not shown again.</p>
${definitions([
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
