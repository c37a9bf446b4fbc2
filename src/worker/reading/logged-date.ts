import { datetimeText } from "../../catalog/datetime.ts";

/** When a work was logged, in UTC as reading logs write it: `2026/01/02, 03:04:05`. */
export function loggedDate(milliseconds: number): string {
  const text = datetimeText(milliseconds);
  return `${text.slice(0, 10).replaceAll("-", "/")}, ${text.slice(11, 19)}`;
}
