/** Error message of calls to an object that was restarted. */
export const RESTARTED = "this object starts anew";

/** Name of the only object of the class `ChangeFeed`: there is one log. */
export const FEED_NAME = "catalog";

/** Header with the client of a listener; absent or empty if all clients have one address. */
export const CLIENT_HEADER = "X-Carrel-Client";
