import { MIB } from "../../catalog/units.ts";
import { findControl } from "../../catalog/storable-text.ts";
import * as z from "zod";
import { isReservedUsername } from "../../catalog/accounts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type TextKey, english } from "../../catalog/texts.ts";
import { tryParseJson } from "../../catalog/record.ts";
import { SHELVES, SHELF_KEYS } from "../../catalog/patrons/shelves.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { type RestoredAs, restoreAccounts, withdrawAccount } from "../../db/accounts/registrations.ts";
import { isRemoved } from "../../durable/protocol.ts";
import { NEW_PREFERENCES } from "../accounts/preferences.ts";
import { addAdministrator } from "../admin/groups.ts";
import { bodyText } from "../http/bytes.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { failure } from "../http/failure.ts";

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
  async handle(_input, context) {
    const lines = (await bodyText(context.request, PATRONS_BODY_BYTES))
      .split("\n")
      .filter((line) => line !== "");
    if (lines.length > PATRONS_LINES) throw failure("bad_data.too_many_lines", { most: PATRONS_LINES });
    const rejected: { line: number; reason: string }[] = [];
    const valid: { line: number; value: ImportedPatron }[] = [];
    for (const [index, text] of lines.entries()) {
      const value = parsePatronLine(text, context.now);
      if ("reason" in value) rejected.push({ line: index + 1, ...value });
      else valid.push({ line: index + 1, value });
    }
    const accounts = valid.map(({ value: { username, email, displayname = username } }) => ({
      username,
      email,
      displayname,
      created: formatDatetime(context.now),
    }));
    const outcomes = await restoreAccounts(context.stores.patrons, accounts);
    for (const [index, { line, value }] of valid.entries()) {
      const reason = await restorePatron(context, value, outcomes[index] ?? "foreign");
      if (reason !== undefined) rejected.push({ line, reason: english({ key: reason }) });
    }
    const patrons = lines.length - rejected.length;
    return json({ patrons, rejected }, { cacheControl: NO_STORE });
  },
});

function parsePatronLine(text: string, now: number): ImportedPatron | { readonly reason: string } {
  const value = tryParseJson(text);
  if (findControl(value) !== undefined) return { reason: english({ key: "bad_data.control" }) };
  const { data, error } = patron.safeParse(value);
  if (error !== undefined) return { reason: z.prettifyError(error) };
  // Future entries would be the newest of all until their date.
  const isAhead = [...data.shelves, ...data.ratings].some(({ date: time }) => time > now);
  return isAhead ? { reason: english({ key: "patron_line.future" }) } : data;
}

/** Fills a patron's object. Returns the reason if it cannot be filled. */
async function restorePatron(
  { stores }: RequestContext,
  { username, public_readlog, shelves, ratings }: ImportedPatron,
  outcome: RestoredAs,
): Promise<TextKey | undefined> {
  if (outcome === "foreign") return "patron_line.foreign";
  const object = patronOf(stores, username);
  try {
    await object.addPreferences({ ...NEW_PREFERENCES, public_readlog });
    const ids = new Map(SHELVES.map(({ key, id }) => [key, id]));
    await object.upkeep.restore({
      shelves: shelves.map(({ work, shelf, edition, date: created }) => {
        return { work, shelf: ids.get(shelf) ?? 1, edition, created };
      }),
      ratings: ratings.map(({ date: created, ...stars }) => Object.assign(stars, { created })),
    });
  } catch (error) {
    if (!isRemoved(error)) throw error;
    if (outcome === "new") await withdrawAccount(stores.patrons, username);
    return "patron_line.removed";
  }
  return undefined;
}

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
    for (const name of names) await addAdministrator(context, `/people/${name}`);
    return json({ administrators: [...names] }, { cacheControl: NO_STORE });
  },
});
