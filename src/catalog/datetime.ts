/** Pattern of the normal form, which nearly every stored time has. */
const NORMAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}$/;
const STORED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?$/;

/** Formats a time as naive UTC: `2026-08-25T09:15:03.120000`, always with six fraction digits. */
export function formatDatetime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000`;
}

const MINUTE_MS = 60_000;

/** Q824: formats the minute of a time as naive UTC, for counts of just now: pages of the same minute are equal. */
export function minuteOf(milliseconds: number): string {
  return formatDatetime(milliseconds - (milliseconds % MINUTE_MS));
}

/**
 * Normalises a naive ISO time to six fraction digits: `2026-11-01 10:00:00` is `2026-11-01T10:00:00.000000`. Returns
 * undefined if the text is not such a time.
 */
export function normalizeDatetime(text: string): string | undefined {
  if (NORMAL.test(text)) return text;
  const match = STORED.exec(text);
  if (match === null) return undefined;
  const [, date = "", time = "", fraction = ""] = match;
  if (Number.isNaN(Date.parse(`${date}T${time}Z`))) return undefined;
  return `${date}T${time}.${fraction.padEnd(6, "0")}`;
}

/** Converts a naive UTC time to milliseconds since the epoch; NaN for other texts. */
export function parseDatetime(text: string): number {
  return Date.parse(`${text.slice(0, 23)}Z`);
}
