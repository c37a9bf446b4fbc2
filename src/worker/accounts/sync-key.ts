import { createHash } from "node:crypto";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { accountPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { notice, notify } from "../ui/notice.ts";
import { moment, reason, t } from "../ui/words.ts";
import { type Problem, ACCOUNT_BODY_BYTES, passwordField, toValidationError } from "./account-form.ts";
import { confirmPassword } from "./authentication.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { newSyncKey } from "./secret.ts";

/**
 * Q840: hashes the MD5 digest of a sync key, which is what e-readers send. The key is random, so one round with the name of
 * the account as the salt is enough.
 */
export function syncKeyHash(username: string, digest: string): string {
  return secretHash(`sync ${username.toLowerCase()} ${digest.toLowerCase()}`);
}

const keySchema = z.object({ server: z.string(), username: z.string(), key: z.string() });

/** Requires the password (Q155), because the key still works after all sessions have ended. */
export const makeSyncKey = operation({
  id: "makeSyncKey",
  summary: "Create a key for e-readers",
  tag: "account",
  form: { password: z.string().default("").describe("Password of the account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 200: { description: "Key, which is shown once", schema: keySchema, also: ["text/html"] } },
  async handle({ form: { password } }, context) {
    const account = await ownAccount(context);
    const { username } = account;
    const { problem } = await confirmPassword(context, account, password);
    const { sync } = patronOf(context.stores, username);
    if (problem !== undefined) {
      if (!wantsHtml(context.request)) throw toValidationError([problem]);
      return syncKeyPage(context, { time: await sync.keyTime(), problem });
    }
    const key = newSyncKey();
    await sync.setKey(syncKeyHash(username, createHash("md5").update(key).digest("hex")), context.now);
    await audit(context, { event: "sync-key-made", subject: `/people/${username}` });
    if (!wantsHtml(context.request)) return privateJson({ server: syncServer(context), username, key });
    return syncKeyPage(context, { time: context.now, key });
  },
});

function syncServer(context: RequestContext): string {
  return `${baseUrl(context)}/providers/kosync`;
}

function syncKeyPage(
  context: RequestContext,
  { time, key, problem }: { time: number | undefined; key?: string; problem?: Problem },
): Reply {
  const facts = [
    [t("sync.key"), key === undefined ? undefined : markup`<code>${key}</code>`],
    [t("accounts.made"), time === undefined ? undefined : moment(formatDatetime(time))],
  ] as const;
  const body = markup`<p>${t("sync.lead", { address: markup`<code>${syncServer(context)}</code>` })}</p>
${key !== undefined && notice("good", t("sync.made"))}
${time === undefined ? markup`<p>${t("sync.none")}</p>` : factList(facts)}
${form({
  action: "/account/sync-key",
  fields: [{ ...passwordField(), ...(problem !== undefined && { error: reason(problem.text) }) }],
  submit: t(time === undefined ? "sync.make" : "sync.make_other"),
  more: time !== undefined && markup`<p class="hint">${t("accounts.key_replaces")}</p>`,
})}
${time !== undefined && form({ action: "/account/sync-key/delete", fields: [], submit: t("sync.delete") })}`;
  return accountPage({ title: t("sync.title"), body, status: problem === undefined ? 200 : 422 });
}

export const syncKeyForm = operation({
  id: "syncKeyPage",
  summary: "Show the page of the key for e-readers",
  tag: "account",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    return syncKeyPage(context, { time: await patronOf(context.stores, username).sync.keyTime() });
  },
});

export const removeSyncKey = operation({
  id: "removeSyncKey",
  summary: "Delete your key for e-readers",
  tag: "account",
  responses: {
    200: { description: "Key deleted", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "For browsers: redirect to the page of the key" },
  },
  async handle(_input, context) {
    const { username } = await ownSession(context);
    await patronOf(context.stores, username).sync.setKey(null, context.now);
    await audit(context, { event: "sync-key-deleted", subject: `/people/${username}` });
    notify(context, "sync.deleted");
    return wantsHtml(context.request) ? seeOther("/account/sync-key") : privateJson({ status: "ok" });
  },
});
