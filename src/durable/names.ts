/** What calls to an object fail with that was made to start anew. */
export const RESTARTED = "this object starts anew";

/** Name of the one object of the class `ChangeFeed`: there is one log. */
export const FEED_NAME = "catalog";

/** Header that tells whose listener it is; absent or empty where all clients have one address. */
export const CLIENT_HEADER = "X-Carrel-Client";
