/** Error message of calls to an object that was restarted. */
export const RESTARTED = "this object starts anew";

export const REMOVED = "this account is removed";

/** Error message of a call that uses a session which is not open. */
export const NO_SESSION = "this session is not open";

/** Name of the only object of the class `ChangeFeed`: there is one log. */
export const FEED_NAME = "catalog";

/** Header with the client of a listener; absent or empty if all clients have one address. */
export const CLIENT_HEADER = "X-Carrel-Client";

/** Returns true for the error of a write to a removed account. Errors of other objects arrive with their text only. */
export function isRemoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REMOVED);
}
