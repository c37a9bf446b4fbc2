import * as z from "zod";
import { normalizeDatetime } from "../../catalog/datetime.ts";
import { KIND_GROUPS } from "../../catalog/editing/write-request.ts";
import { isObject } from "../../catalog/record.ts";
import { readBotKeys, readKnownAccounts } from "../../db/accounts/read-accounts.ts";
import { type ChangeFilter, readStoredBots } from "../../db/history/changes.ts";
import type { Database, Window } from "../../db/statement.ts";
import type { RequestContext } from "../http/operation.ts";
import { callbackName, listPageText } from "../http/parameters.ts";
import { percentDecode } from "../http/paths.ts";
import { queryJson } from "../http/request-body.ts";
import { isAddress } from "../http/client-address.ts";
import { failure } from "../http/failure.ts";

const RECENT_LIMIT = { default: 100, max: 1000 };
const RECENT_OFFSET_MAX = 10_000;
/** Maximum number of `data` members that a query may filter by. */
const RECENT_DATA_MAX = 10;

/** Reference in a query: a key, or an object with one. */
export const reference = z.union([z.string(), z.object({ key: z.string() }).transform(({ key }) => key)]);
const dataValue = z.union([z.string(), z.int()]).transform(String);

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

export function parseChangesQuery(query: unknown): ChangesQuery {
  if (!isObject(query)) throw failure("bad_data.query_object");
  const parsed = changesQuery.safeParse(query);
  if (!parsed.success) throw failure("bad_data.query", { problem: z.prettifyError(parsed.error) });
  if (Object.keys(parsed.data.data ?? {}).length > RECENT_DATA_MAX) {
    throw failure("bad_data.query_data", { most: RECENT_DATA_MAX });
  }
  return parsed.data;
}

/** Converts a query to a filter, except for `bot` and `ip`, which need more than the query. */
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
  return text === undefined ? undefined : (normalizeDatetime(text) ?? text);
}

/** Reads `true` and `false` as booleans or text; undefined for anything else. */
export function botCondition(value: boolean | string | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** Returns the condition on bots: by the flag of the account, or if it is deleted by the flag stored with the change. */
export async function botFilter(
  { catalog, patrons }: { catalog: Database; patrons: D1Database },
  isBot: boolean | undefined,
): Promise<ChangeFilter["bots"]> {
  if (isBot === undefined) return undefined;
  // Q131: the current flag.
  const [current, stored] = await Promise.all([readBotKeys(patrons), readStoredBots(catalog)]);
  const keys = new Set(current);
  const others = stored.filter((key) => !keys.has(key));
  const known = await readKnownAccounts(patrons, others);
  for (const key of others) if (!known.has(key)) keys.add(key);
  return { keys: [...keys], byBot: isBot };
}

/** Clamps a number, which may be text. Anything else becomes the default. */
function clamp(value: number | string | undefined, { default: fallback, max }: typeof RECENT_LIMIT) {
  const text = String(value ?? "").trim();
  return /^[+-]?\d+$/.test(text) ? Math.min(max, Math.max(0, Number(text))) : fallback;
}

export const listParameters = {
  bot: z.string().optional().describe("`true` for changes by bots only; `false` for changes by others only"),
  author: z.string().optional().describe("Key of the user who made the changes"),
  key: z.string().optional().describe("Key of the changed record"),
  limit: z.string().optional().describe(`Page size, at most ${RECENT_LIMIT.max} (${RECENT_LIMIT.default})`),
  offset: z.string().optional().describe(`Number of changes to skip, at most ${RECENT_OFFSET_MAX}`),
  query: z
    .string()
    .optional()
    .describe("JSON object with these parameters; also accepts `kind`, `begin_date`, `end_date` and `data`"),
  kind: z.string().optional().describe("Kind of changes; pages only"),
  begin: z.string().optional().describe("First day, for example `2026-11-01`; pages only"),
  end: z.string().optional().describe("Last day; pages only"),
  ip: z.string().optional().describe("IP address of anonymous changes"),
  page: listPageText("Page number, from 1; pages only"),
  callback: callbackName(),
  text: z.string().optional().describe("`true` to respond as text/plain"),
};

export type ListParameters = { [name in keyof typeof listParameters]?: string | undefined };

/** Combines path and parameters into a filter; undefined if no change can match. Throws 400. */
export async function readChangesFilter(
  selection: ListPath,
  parameters: ListParameters,
  context: RequestContext,
): Promise<{ filter: ChangeFilter | undefined; window: Window }> {
  const object = parameters.query === undefined ? {} : parseChangesQuery(queryJson(parameters.query));
  // These parameters belong to pages only.
  const { kind: _kind, begin: _begin, end: _end, ...others } = parameters;
  // Q128: the query object overrides the parameters beside it.
  const query = { ...others, ...object };
  const window = {
    limit: clamp(query.limit, RECENT_LIMIT),
    offset: clamp(query.offset, { default: 0, max: RECENT_OFFSET_MAX }),
  };
  const { key, author, ip } = query;
  // Q129: an invalid address matches no changes.
  if (ip !== undefined && !isAddress(ip)) return { filter: undefined, window };
  const filter = filterOf({ ...object, key, author, kind: selection.changeKind ?? object.kind });
  const { catalog, patrons } = context.stores;
  const bots = await botFilter({ catalog, patrons }, botCondition(query.bot));
  return { window, filter: { ...filter, ip, ...intersectPeriods(selection, filter), bots } };
}

type Period = Pick<ListPath, "begin" | "end">;

export function intersectPeriods(first: Period, second: Partial<Period>): Period {
  const begins = [first.begin, second.begin].filter((time) => time !== undefined).sort();
  const ends = [first.end, second.end].filter((time) => time !== undefined).sort();
  return { begin: begins.at(-1), end: ends[0] };
}

/** Changes selected by a path below `/recentchanges`. */
export interface ListPath {
  readonly kind: "list";
  readonly changeKind: string | undefined;
  /** Half-open period of naive UTC times; undefined is unlimited. */
  readonly begin: string | undefined;
  readonly end: string | undefined;
}

export type Suffix = ".json" | ".yml" | "";

const FOLDER = "/recentchanges";

export function splitSuffix(pathname: string): { path: string; suffix: Suffix } {
  const path = percentDecode(pathname);
  const suffix = path.endsWith(".json") ? ".json" : path.endsWith(".yml") ? ".yml" : "";
  return { path: path.slice(0, path.length - suffix.length), suffix };
}

/** Parses a path without suffix: a list or a single change. Undefined for other paths and days that do not exist. */
export function parseChangePath(path: string): ListPath | { kind: "change"; id: number } | undefined {
  const segments = path.slice(FOLDER.length).split("/").slice(1);
  const dates = segments.slice(0, 3).filter((segment) => /^\d/.test(segment));
  const rest = segments.slice(dates.length);
  const period = periodOf(dates);
  if (period === undefined || rest.length > 2) return undefined;
  const [changeKind, id] = rest;
  if (id !== undefined) {
    // Q126: only the id counts.
    return dates.length === 3 && /^\d{1,15}$/.test(id) ? { kind: "change", id: Number(id) } : undefined;
  }
  if (changeKind === "" || (changeKind !== undefined && /^\d/.test(changeKind))) return undefined;
  return { kind: "list", changeKind, ...period };
}

/** Returns the period chosen in the form; an invalid day is ignored. */
export function parseDays({ begin, end }: ListParameters): Period {
  const first = periodOf((begin ?? "").split("-"));
  const last = periodOf((end ?? "").split("-"));
  return { begin: begin ? first?.begin : undefined, end: end ? last?.end : undefined };
}

/** Returns the period of a year, month or day; undefined if it does not exist. */
function periodOf(dates: readonly string[]): Period | undefined {
  if (dates.length === 0) return { begin: undefined, end: undefined };
  const text = dates.join("-");
  if (!/^\d{4}(?:-\d{2}){0,2}$/.test(text)) return undefined;
  const [year = "", month = "01", day = "01"] = dates;
  const begin = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript parses 30 February as 2 March.
  if (Number.isNaN(begin.getTime()) || dayOf(begin) !== `${year}-${month}-${day}`) return undefined;
  const end = new Date(begin);
  if (dates.length === 1) end.setUTCFullYear(end.getUTCFullYear() + 1);
  else if (dates.length === 2) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + 1);
  return { begin: dayOf(begin), end: dayOf(end) };
}

/** Formats `2026-11-01`, which sorts before every time of its day; beyond the year 9999 a text that sorts after all. */
function dayOf(date: Date): string {
  return date.getUTCFullYear() > 9999 ? ":" : date.toISOString().slice(0, "2026-11-01".length);
}
