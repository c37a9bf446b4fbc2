import * as z from "zod";
import { normalizedDatetime } from "../../catalog/datetime.ts";
import { KIND_GROUPS } from "../../catalog/editing/write-request.ts";
import { isObject } from "../../catalog/record.ts";
import { readBotKeys, readKnownAccounts } from "../../db/accounts/read.ts";
import { type ChangeFilter, readStoredBots } from "../../db/history/changes.ts";
import type { Database } from "../../db/statement.ts";
import { badData } from "../http/errors.ts";

/** Changes in one answer, and how many can be passed over. */
export const RECENT_LIMIT = { default: 100, max: 1000 };
export const RECENT_OFFSET_MAX = 10_000;
/** Members of the data of a change that one query may ask for. */
const RECENT_DATA_MAX = 10;

/** A reference in a query: a key, or an object with one. */
export const reference = z.union([z.string(), z.object({ key: z.string() }).transform(({ key }) => key)]);
const dataValue = z.union([z.string(), z.int()]).transform(String);

/** A query object for changes; other members say nothing. */
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

/** Checks a parsed query object; 400 when it is none. */
export function checkedQuery(query: unknown): ChangesQuery {
  if (!isObject(query)) throw badData("Bad query: expected a JSON object");
  const parsed = changesQuery.safeParse(query);
  if (!parsed.success) throw badData(`Bad query: ${z.prettifyError(parsed.error)}`);
  if (Object.keys(parsed.data.data ?? {}).length > RECENT_DATA_MAX) {
    throw badData(`Bad query: more than ${RECENT_DATA_MAX} members of data`);
  }
  return parsed.data;
}

/** The conditions of a query, but for `bot` and `ip`, which need more than the query. */
export function filterOf(query: ChangesQuery): ChangeFilter {
  const { key, author, kind, begin_date: begin, end_date: end, data } = query;
  return {
    key,
    author,
    begin: timeText(begin),
    end: timeText(end),
    // Q127: the old name of a kind means the new ones too, as names have changed over the years.
    kinds: kind === undefined ? undefined : [...new Set([kind, ...(KIND_GROUPS.get(kind) ?? [])])],
    data: data === undefined ? undefined : Object.entries(data),
  };
}

/** Times are compared as text: one with a blank between day and hour gets its `T`. Days are left as they are. */
function timeText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (normalizedDatetime(text) ?? text);
}

/** `true` and `false` in both forms; anything else is no condition. */
export function botCondition(value: boolean | string | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** The condition on bots: the flag of the account; where there is none, the one that the change was stored with. */
export async function botFilter(
  { catalog, patrons }: { readonly catalog: Database; readonly patrons: D1Database },
  isBot: boolean | undefined,
): Promise<ChangeFilter["bots"]> {
  if (isBot === undefined) return undefined;
  // Q131: the flag of today.
  const [now, stored] = await Promise.all([readBotKeys(patrons), readStoredBots(catalog)]);
  const keys = new Set(now);
  const doubtful = stored.filter((key) => !keys.has(key));
  const known = await readKnownAccounts(patrons, doubtful);
  for (const key of doubtful) if (!known.has(key)) keys.add(key);
  return { keys: [...keys], byBot: isBot };
}

/** `limit` and `offset` within their bounds, as numbers or as text; what is no number is the default. */
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
