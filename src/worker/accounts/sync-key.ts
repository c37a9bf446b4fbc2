import { createHash } from "node:crypto";
import * as z from "zod";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { audit } from "../platform/audit.ts";
import { command } from "../ui/command.ts";
import { ACCOUNT_BODY_BYTES, PAGE, STATUS_OK } from "./account-form.ts";
import { confirmPassword } from "./authentication.ts";
import { ownAccount, ownSession } from "./own-session.ts";
import { newSyncKey } from "./secret.ts";
import { syncKeyPage } from "./sync-key-page.ts";

/**
 * Q840: hashes the MD5 digest of a sync key, which is what e-readers send. The key is random, so one round with the name of
 * the account as the salt is enough.
 */
export function syncKeyHash(username: string, digest: string): string {
  return secretHash(`sync ${username.toLowerCase()} ${digest.toLowerCase()}`);
}

const keySchema = z.object({ server: z.string(), username: z.string(), key: z.string() });

/** Requires the password (Q155), because the key still works after all sessions have ended. */
export const makeSyncKey = command({
  id: "makeSyncKey",
  summary: "Create a key for e-readers",
  tag: "account",
  form: { password: z.string().default("").describe("Password of the account") },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: { 200: { description: "Key, which is shown once", schema: keySchema, also: ["text/html"] } },
  load: (_input, context) => ownAccount(context),
  async submit({ form: { password }, loaded: account }, context) {
    const { username } = account;
    await confirmPassword(context, account, password);
    const key = newSyncKey();
    const digest = createHash("md5").update(key).digest("hex");
    await patronOf(context.stores, username).sync.setKey(syncKeyHash(username, digest), context.now);
    await audit(context, { event: "sync-key-made", subject: `/people/${username}` });
    return { server: syncServer(context), username, key };
  },
  page: ({ server, key }, _input, context) => syncKeyPage(context, server, { time: context.now, key }),
  again: (refusal, _input, context) => showSyncKey(context, refusal),
});

function syncServer(context: RequestContext): string {
  return `${baseUrl(context)}/providers/kosync`;
}

async function showSyncKey(context: RequestContext, refusal?: Failure): Promise<Reply> {
  const { username } = await ownSession(context);
  const time = await patronOf(context.stores, username).sync.keyTime();
  return syncKeyPage(context, syncServer(context), { time, ...(refusal !== undefined && { refusal }) });
}

export const syncKeyForm = operation({
  id: "syncKeyPage",
  summary: "Show the page of the key for e-readers",
  tag: "account",
  responses: PAGE,
  handle: (_input, context) => showSyncKey(context),
});

export const removeSyncKey = command({
  id: "removeSyncKey",
  summary: "Delete your key for e-readers",
  tag: "account",
  responses: {
    200: { description: "Key deleted", schema: STATUS_OK },
    303: { description: "For browsers: redirect to the page of the key" },
  },
  async submit(_input, context) {
    const { username } = await ownSession(context);
    await patronOf(context.stores, username).sync.setKey(null, context.now);
    await audit(context, { event: "sync-key-deleted", subject: `/people/${username}` });
    return { status: "ok" };
  },
  done: { to: "/account/sync-key", notice: "sync.deleted" },
});
