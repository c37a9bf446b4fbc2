import { decoded } from "../path-pattern.ts";

/** What a path below `/recentchanges` asks for (records.md 7.2, 7.3). */
export type ChangePath =
  | {
      readonly kind: "list";
      /** Only changes of this kind. */
      readonly changeKind: string | undefined;
      /** Half-open naive UTC times. */
      readonly begin: string | undefined;
      readonly end: string | undefined;
    }
  | { readonly kind: "change"; readonly id: number };

/** The form that the end of a path asks for. */
export type Suffix = ".json" | ".yml" | "";

const FOLDER = "/recentchanges";

/** The path without its suffix, and the suffix. */
export function withoutSuffix(pathname: string): { path: string; suffix: Suffix } {
  const path = decoded(pathname);
  const suffix = path.endsWith(".json") ? ".json" : path.endsWith(".yml") ? ".yml" : "";
  return { path: path.slice(0, path.length - suffix.length), suffix };
}

/** Reads a path without suffix; undefined when it is none of these forms, or names a day that there is not. */
export function changePath(path: string): ChangePath | undefined {
  const segments = path.slice(FOLDER.length).split("/").slice(1);
  const dates = segments.slice(0, 3).filter((segment) => /^\d/.test(segment));
  const rest = segments.slice(dates.length);
  const period = periodOf(dates);
  if (period === undefined || rest.length > 2) return undefined;
  const [changeKind, id] = rest;
  if (id !== undefined) {
    // Q126: the number alone decides.
    return dates.length === 3 && /^\d{1,15}$/.test(id) ? { kind: "change", id: Number(id) } : undefined;
  }
  if (changeKind === "" || (changeKind !== undefined && /^\d/.test(changeKind))) return undefined;
  return { kind: "list", changeKind, ...period };
}

interface Period {
  readonly begin: string | undefined;
  readonly end: string | undefined;
}

/** The times of a year, a month or a day; undefined when there is no such one. */
function periodOf(dates: readonly string[]): Period | undefined {
  if (dates.length === 0) return { begin: undefined, end: undefined };
  const text = dates.join("-");
  if (!/^\d{4}(?:-\d{2}){0,2}$/.test(text)) return undefined;
  const [year = "", month = "01", day = "01"] = dates;
  const begin = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(begin.getTime()) || dayOf(begin) !== `${year}-${month}-${day}`) return undefined;
  const end = new Date(begin);
  if (dates.length === 1) end.setUTCFullYear(end.getUTCFullYear() + 1);
  else if (dates.length === 2) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + 1);
  return { begin: dayOf(begin), end: dayOf(end) };
}

/** `2026-11-01`; sorts before every time of its day. Beyond the year 9999 everything is earlier. */
function dayOf(date: Date): string {
  return date.getUTCFullYear() > 9999 ? ":" : date.toISOString().slice(0, "2026-11-01".length);
}
