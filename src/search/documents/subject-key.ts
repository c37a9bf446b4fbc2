/** Kinds of subjects in documents and URLs, in the order of the members of `seed`. */
export const SUBJECT_TYPES = ["subject", "person", "place", "time"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

const DROPPED = /[;/?:@&=+$,<>#%"{}|\\^[\]`\n\r]+/g;
const BLANKS = / /g;
const SEED_BREAKS = /[, _]+/g;
const OUTER_UNDERSCORES = /^_|_$/g;

/** Returns the key in `*_key` fields and URLs: `Romance / Love` is `romance__love`. May be empty. */
export function subjectKeyOf(name: string): string {
  return name.trim().toLowerCase().replace(DROPPED, "").replace(BLANKS, "_");
}

/** Returns the key in lists: `Romance / Love` is `/subjects/romance_/_love`. */
export function subjectSeedOf(type: SubjectType, name: string): string {
  return subjectFolderOf(type) + name.toLowerCase().replace(SEED_BREAKS, "_").replace(OUTER_UNDERSCORES, "");
}

/** Returns the prefix of subject keys: `/subjects/`, `/subjects/person:`, ... */
export function subjectFolderOf(type: SubjectType): string {
  return type === "subject" ? "/subjects/" : `/subjects/${type}:`;
}
