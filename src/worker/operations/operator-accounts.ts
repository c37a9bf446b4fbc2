import { MIB } from "../../catalog/units.ts";
import { findControl } from "../../catalog/storable-text.ts";
import * as z from "zod";
import { isReservedUsername } from "../../catalog/accounts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { english } from "../../catalog/texts.ts";
import { tryParseJson } from "../../catalog/record.ts";
import { SHELVES, SHELF_KEYS } from "../../catalog/patrons/shelves.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { readPasswordHash } from "../../db/accounts/read-secrets.ts";
import { restoreAccounts, withdrawAccount } from "../../db/accounts/registrations.ts";
import { isRemoved } from "../../durable/protocol.ts";
import { createPasswordLink } from "../accounts/account-emails.ts";
import { makeAccountRecords } from "../accounts/authentication.ts";
import { NEW_PREFERENCES } from "../accounts/preferences.ts";
import { addAdministrator } from "../admin/groups.ts";
import { bodyText } from "../http/bytes.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { failure } from "../http/failure.ts";
import { audit } from "../platform/audit.ts";

/** Largest body in bytes, patrons in it, and entries of one patron. */
const PATRONS_BODY_BYTES = 8 * MIB;
export const PATRONS_LINES = 100;
export const PATRON_ENTRIES = 5000;

const number = z
  .int()
  .min(1)
  .max(2 ** 40 - 1);
const date = z.iso
  .datetime({ local: true })
  .transform((text) => Date.parse(text.endsWith("Z") ? text : `${text}Z`))
  .refine((time) => time >= 0, "Before 1970");
const entry = z.object({
  work: number,
  shelf: z.enum(SHELF_KEYS),
  edition: number.nullable().default(null),
  date,
});
const rating = z.object({
  work: number,
  stars: z.int().min(1).max(5),
  edition: number.nullable().default(null),
  date,
});
const patron = z.object({
  username: z
    .string()
    .regex(/^[A-Za-z0-9][\w-]{1,29}$/)
    .refine((name) => !isReservedUsername(name), "This name is reserved"),
  email: z.email(),
  displayname: z.string().min(1).max(100).optional(),
  public_readlog: z.enum(["yes", "no"]).default("no"),
  shelves: z.array(entry).max(PATRON_ENTRIES).default([]),
  ratings: z.array(rating).max(PATRON_ENTRIES).default([]),
});
type ImportedPatron = z.output<typeof patron>;

/**
 * `POST /system/patrons`: imports patrons of another service, with shelves and ratings. Existing data is not changed, so
 * a file can be sent again. Patrons of the identity provider find their account by its email address; others request a
 * new password.
 */
export const restorePatrons = operation({
  id: "restorePatrons",
  summary: "Import patrons from another service",
  tag: "operation",
  body: {
    contentType: "application/x-ndjson",
    description:
      "JSON Lines: `username`, `email`, `displayname`, `public_readlog` (`yes` or `no`, default `no`), " +
      "`shelves` (objects with `work`, `shelf`, `edition`, `date`) and `ratings` (`work`, `stars`, `edition`, `date`); works " +
      "and editions are the numbers in their keys, dates are UTC",
  },
  responses: {
    200: {
      description: "Result for each line",
      schema: z.object({
        patrons: z.int(),
        rejected: z.array(z.object({ line: z.int(), reason: z.string() })),
      }),
    },
  },
  async handle(_input, { request, stores, now }) {
    const lines = (await bodyText(request, PATRONS_BODY_BYTES)).split("\n").filter((line) => line !== "");
    if (lines.length > PATRONS_LINES) throw failure("bad_data.too_many_lines", { most: PATRONS_LINES });
    const rejected: { line: number; reason: string }[] = [];
    const valid: { line: number; value: ImportedPatron }[] = [];
    for (const [index, text] of lines.entries()) {
      const line = index + 1;
      const sent = tryParseJson(text);
      const { data: value, error } = patron.safeParse(sent);
      if (findControl(sent) !== undefined) {
        rejected.push({ line, reason: english({ key: "bad_data.control" }) });
      } else if (error !== undefined) {
        rejected.push({ line, reason: z.prettifyError(error) });
      } else if ([...value.shelves, ...value.ratings].some(({ date: time }) => time > now)) {
        // Future entries would be the newest of all until their date.
        rejected.push({ line, reason: english({ key: "patron_line.future" }) });
      } else valid.push({ line, value });
    }
    const accounts = valid.map(({ value: { username, email, displayname = username } }) => ({
      username,
      email,
      displayname,
      created: formatDatetime(now),
    }));
    const outcomes = await restoreAccounts(stores.patrons, accounts);
    const shelfIds = new Map(SHELVES.map(({ key, id }) => [key, id]));
    for (const [index, { line, value }] of valid.entries()) {
      const { username, public_readlog, shelves, ratings } = value;
      const outcome = outcomes[index] ?? "foreign";
      if (outcome === "foreign") {
        rejected.push({ line, reason: english({ key: "patron_line.foreign" }) });
        continue;
      }
      const object = patronOf(stores, username);
      try {
        await object.addPreferences({ ...NEW_PREFERENCES, public_readlog });
        await object.upkeep.restore({
          shelves: shelves.map(({ work, shelf, edition, date: created }) => {
            return { work, shelf: shelfIds.get(shelf) ?? 1, edition, created };
          }),
          ratings: ratings.map(({ date: created, ...stars }) => Object.assign(stars, { created })),
        });
      } catch (error) {
        if (!isRemoved(error)) throw error;
        if (outcome === "new") await withdrawAccount(stores.patrons, username);
        rejected.push({ line, reason: english({ key: "patron_line.removed" }) });
      }
    }
    const patrons = lines.length - rejected.length;
    return json({ patrons, rejected }, { cacheControl: NO_STORE });
  },
});

const ADMINISTRATORS_MAX = 20;
const ADMINISTRATORS_BODY_BYTES = 4096;

/**
 * `POST /system/administrators`: adds accounts to the group `admin`, for a service without administrators; they use
 * `/admin`. Adds none of the accounts unless all are active.
 */
export const makeAdministrators = operation({
  id: "makeAdministrators",
  summary: "Make accounts administrators",
  tag: "operation",
  json: z.object({ usernames: z.array(z.string()).min(1).max(ADMINISTRATORS_MAX) }),
  bodyBytes: ADMINISTRATORS_BODY_BYTES,
  responses: {
    200: {
      description: "New administrators",
      schema: z.object({ administrators: z.array(z.string()).describe("Usernames") }),
    },
    400: { description: "Account not found or not active" },
  },
  async handle({ json: { usernames } }, context) {
    const { patrons } = context.stores;
    const accounts = await Promise.all(usernames.map((username) => findAccount(patrons, { username })));
    const missing = usernames.find((_username, index) => accounts[index]?.status !== "active");
    if (missing !== undefined)
      throw failure("bad_data.no_account", { name: missing }, { members: { value: missing } });
    const names = new Set(accounts.flatMap((account) => account?.username ?? []));
    for (const found of accounts) {
      // Accounts that the operator made have no records before their first login.
      if (found !== undefined)
        await makeAccountRecords(context, { ok: true, ...found, created: !found.hasRecords });
    }
    for (const name of names) await addAdministrator(context, `/people/${name}`);
    return json({ administrators: [...names] }, { cacheControl: NO_STORE });
  },
});

/**
 * `POST /system/password-links`: for a service without email. Accounts with a password get no link: the operator's token
 * must not open them.
 */
export const makePasswordLink = operation({
  id: "makePasswordLink",
  summary: "Create a link that sets the first password of an account",
  tag: "operation",
  json: z.object({ username: z.string() }),
  bodyBytes: ADMINISTRATORS_BODY_BYTES,
  responses: {
    200: {
      description: "Link that works once, for an hour",
      schema: z.object({
        username: z.string(),
        url: z
          .string()
          .nullable()
          .describe("Null if the account has a password, or the identity provider manages passwords"),
      }),
    },
    400: { description: "Account not found or not active" },
  },
  async handle({ json: { username: name } }, context) {
    const { stores, settings } = context;
    const account = await findAccount(stores.patrons, { username: name });
    if (account?.status !== "active")
      throw failure("bad_data.no_account", { name }, { members: { value: name } });
    const { username } = account;
    const hasPassword =
      settings.IDENTITY_PROVIDER !== "local" || (await readPasswordHash(stores.patrons, username)) !== null;
    const path = hasPassword ? null : await createPasswordLink(context, account);
    if (path !== null)
      await audit(context, { event: "link-made", actor: "operator", subject: `/people/${username}` });
    const url = path === null ? null : baseUrl(context) + path;
    return json({ username, url }, { cacheControl: NO_STORE });
  },
});
