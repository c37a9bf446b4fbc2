import { badData } from "../http/errors.ts";

const YEAR = /^[1-9]\d{3}$/;

/** The year of a path; throws 400 for one that is not from 1000 to 9999 (patrons.md 3.11). */
export function yearOf(text: string): number {
  if (!YEAR.test(text)) throw badData("A year has four digits, and is 1000 or later.");
  return Number(text);
}
