/** What calls to an object fail with that was made to start anew. */
export const RESTARTED = "this object starts anew";
