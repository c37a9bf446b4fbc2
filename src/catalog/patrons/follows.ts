/** Patrons whom one patron follows, at most. */
export const FOLLOWS_MAX = 5000;
