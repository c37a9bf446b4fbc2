import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { createApiKey } from "../../db/accounts/write-secrets.ts";
import { createAccounts } from "../../db/accounts/registrations.ts";
import { readOutbox } from "../../db/accounts/read-accounts.ts";
import { hashPassword } from "../accounts/password-hash.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { readJsonBody } from "../http/request-body.ts";

const ACCOUNTS_BODY_BYTES = 4096;
const ACCOUNTS = 20;
const username = z.string().regex(/^[A-Za-z]\w{2,19}$/);
const body = z.object({
  usernames: z.array(username).max(ACCOUNTS),
  displaynames: z.record(username, z.string().min(1)).default({}),
  emails: z.record(username, z.email()).default({}),
  keys: z
    .array(z.object({ username, access: z.string().min(1), secret: z.string().min(1) }))
    .max(ACCOUNTS)
    .default([]),
});

const DESCRIPTION =
  "Object with the array `usernames`; optionally the objects `displaynames` and `emails` by username, and the array " +
  "`keys` of objects with `username`, `access` and `secret`";

/** Creates the accounts of a development service, whose passwords equal their names. Others answer 404. */
export const developmentAccounts = operation({
  id: "developmentAccounts",
  summary: "Create the development accounts (development only)",
  tag: "operation",
  body: { contentType: "application/json", description: DESCRIPTION },
  responses: { 200: { description: "Usernames", schema: z.object({ accounts: z.array(z.string()) }) } },
  async handle(_input, { settings, stores, request, now }) {
    if (settings.ENVIRONMENT !== "development") throw notFound();
    const { usernames, displaynames, emails, keys } = await readJsonBody(request, body, {
      limit: ACCOUNTS_BODY_BYTES,
      example: '{"usernames": ["ann"]}',
    });
    const created = formatDatetime(now);
    const accounts = [];
    for (const name of usernames) {
      accounts.push({
        username: name,
        email: emails[name] ?? `${name}@example.com`,
        passwordHash: await hashPassword(name),
        displayname: displaynames[name] ?? name,
        subject: `@${name}`,
        created,
      });
    }
    await createAccounts(stores.patrons, accounts);
    for (const key of keys) await createApiKey(stores.patrons, { ...key, created });
    return json({ accounts: usernames }, { cacheControl: NO_STORE });
  },
});

const mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created: z.string(),
});

/** `GET /development/outbox.json`: emails that a development service stored instead of sending. */
export const outboxOperation = operation({
  id: "outbox",
  summary: "List unsent emails (development only)",
  tag: "operation",
  query: { to: z.string().optional().describe("Email address of the recipient") },
  responses: { 200: { description: "Emails, newest first", schema: z.object({ mails: z.array(mail) }) } },
  async handle({ query: { to } }, { stores }) {
    const mails = await readOutbox(stores.patrons, to);
    const publicMails = mails.map(({ id, recipient, subject, body: text, created }) => {
      return { id, to: recipient, subject, text, created };
    });
    return json({ mails: publicMails }, { cacheControl: NO_STORE });
  },
});
