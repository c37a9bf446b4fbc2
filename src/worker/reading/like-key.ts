import { CarrelError } from "../http/errors.ts";

/** Longest key of a record that can be liked, in characters. */
export const LIKE_KEY_LENGTH = 250;

/** Q222: what no key has, and what does not come out of a database as it was put in. */
const CONTROL = /\p{Cc}/u;

/** The key in a body or query of the routes of likes; throws a 400, as they always have (patrons.md 12). */
export function likeKey(value: unknown): string {
  const isText = typeof value === "string" && value.isWellFormed() && !CONTROL.test(value);
  if (isText && value !== "" && value.length <= LIKE_KEY_LENGTH) return value;
  throw badLike(`A key of 1 to ${LIKE_KEY_LENGTH} characters is required`);
}

/** 400 of the routes of likes. */
export function badLike(message: string): CarrelError {
  return new CarrelError(400, "bad_request", { message });
}
