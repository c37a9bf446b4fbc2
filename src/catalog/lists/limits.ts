/** Most seeds of a list. */
export const LIST_SEEDS_MAX = 10_000;
/** Works of a series that are read, that its form holds, and that one call adds and removes. */
export const SERIES_SEEDS_MAX = 1000;
/** Longest name of a list or series, in UTF-16 units. */
export const LIST_NAME_LENGTH = 255;
/** Longest description of a list or series, in UTF-16 units. */
export const LIST_DESCRIPTION_LENGTH = 65_536;
/** Most tags of a list, and the longest of them in UTF-16 units. */
export const LIST_TAGS_MAX = 100;
export const LIST_TAG_LENGTH = 255;
/** Longest notes on a seed, longest position and longest subject string, in UTF-16 units. */
export const SEED_NOTES_LENGTH = 4096;
export const SEED_POSITION_LENGTH = 255;
export const SEED_SUBJECT_LENGTH = 512;
