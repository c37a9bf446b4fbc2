import * as z from "zod";
import { normalizedDatetime } from "../../catalog/datetime.ts";
import { KIND_GROUPS } from "../../catalog/editing/write-request.ts";
import { isObject } from "../../catalog/record.ts";
import { readBotKeys, readKnownAccounts } from "../../db/accounts/read-accounts.ts";
import { type ChangeFilter, readStoredBots } from "../../db/history/changes.ts";
import type { Database } from "../../db/statement.ts";
import { badData } from "../http/errors.ts";

/** Changes in one answer (default and maximum), and highest offset. */
export const RECENT_LIMIT = { default: 100, max: 1000 };
export const RECENT_OFFSET_MAX = 10_000;
/** Members of the data of a change that one query may filter by. */
const RECENT_DATA_MAX = 10;

/** Reference in a query: a key, or an object with one. */
export const reference = z.union([z.string(), z.object({ key: z.string() }).transform(({ key }) => key)]);
const dataValue = z.union([z.string(), z.int()]).transform(String);

/** Query object for changes; other members are ignored. */
const changesQuery = z.object({
  limit: z.int().optional(),
  offset: z.int().optional(),
  key: z.string().optional(),
  author: reference.optional(),
  ip: z.string().optional(),
  kind: z.string().optional(),
  bot: z.union([z.boolean(), z.string()]).optional(),
  begin_date: z.string().optional(),
  end_date: z.string().optional(),
  data: z.record(z.string(), dataValue).optional(),
});
type ChangesQuery = z.infer<typeof changesQuery>;

/** Checks a parsed query object. Throws 400 if it is invalid. */
export function checkedQuery(query: unknown): ChangesQuery {
  if (!isObject(query)) throw badData("Bad query: expected a JSON object");
  const parsed = changesQuery.safeParse(query);
  if (!parsed.success) throw badData(`Bad query: ${z.prettifyError(parsed.error)}`);
  if (Object.keys(parsed.data.data ?? {}).length > RECENT_DATA_MAX) {
    throw badData(`Bad query: more than ${RECENT_DATA_MAX} members of data`);
  }
  return parsed.data;
}

/** Returns the conditions of a query, except for `bot` and `ip`, which need more than the query. */
export function filterOf(query: ChangesQuery): ChangeFilter {
  const { key, author, kind, begin_date: begin, end_date: end, data } = query;
  return {
    key,
    author,
    begin: timeText(begin),
    end: timeText(end),
    // Q127: the old name of a kind includes the new ones, because names have changed over the years.
    kinds: kind === undefined ? undefined : [...new Set([kind, ...(KIND_GROUPS.get(kind) ?? [])])],
    data: data === undefined ? undefined : Object.entries(data),
  };
}

/** Normalizes a time for comparison as text: a blank between day and hour becomes `T`. Days are left as they are. */
function timeText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (normalizedDatetime(text) ?? text);
}

/** Reads `true` and `false` in both forms; anything else is no condition. */
export function botCondition(value: boolean | string | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

/**
 * Returns the condition on bots: by the flag of the account, or without an account by the flag stored with the change.
 */
export async function botFilter(
  { catalog, patrons }: { readonly catalog: Database; readonly patrons: D1Database },
  isBot: boolean | undefined,
): Promise<ChangeFilter["bots"]> {
  if (isBot === undefined) return undefined;
  // Q131: the current flag.
  const [now, stored] = await Promise.all([readBotKeys(patrons), readStoredBots(catalog)]);
  const keys = new Set(now);
  const doubtful = stored.filter((key) => !keys.has(key));
  const known = await readKnownAccounts(patrons, doubtful);
  for (const key of doubtful) if (!known.has(key)) keys.add(key);
  return { keys: [...keys], byBot: isBot };
}

/** Clamps `limit` and `offset`, given as numbers or as text; an invalid number becomes the default. */
export function sliceOf({ limit, offset }: Partial<Record<"limit" | "offset", number | string>>) {
  return {
    limit: bounded(limit, RECENT_LIMIT),
    offset: bounded(offset, { default: 0, max: RECENT_OFFSET_MAX }),
  };
}

function bounded(value: number | string | undefined, { default: fallback, max }: typeof RECENT_LIMIT) {
  const text = String(value ?? "").trim();
  return /^[+-]?\d+$/.test(text) ? Math.min(max, Math.max(0, Number(text))) : fallback;
}
