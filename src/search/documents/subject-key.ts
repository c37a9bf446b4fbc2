/** Kinds of subjects, as documents and URLs name them, in the order in which members of `seed` come. */
export const SUBJECT_TYPES = ["subject", "person", "place", "time"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

const DROPPED = /[;/?:@&=+$,<>#%"{}|\\^[\]`\n\r]+/g;
const BLANKS = / /g;
const SEED_BREAKS = /[, _]+/g;
const OUTER_UNDERSCORES = /^_|_$/g;

/**
 * The name by which a subject is found: in the `*_key` fields and in URLs of subject pages. `Romance / Love` is
 * `romance__love`. May be empty.
 */
export function subjectKey(name: string): string {
  return name.trim().toLowerCase().replace(DROPPED, "").replace(BLANKS, "_");
}

/**
 * Key of a subject as members of lists name it: `Romance / Love` is
 * `/subjects/romance_/_love`, a person's `/subjects/person:...`.
 */
export function subjectSeed(type: SubjectType, name: string): string {
  return subjectFolder(type) + name.toLowerCase().replace(SEED_BREAKS, "_").replace(OUTER_UNDERSCORES, "");
}

/** What comes before the name in keys of subjects: `/subjects/`, `/subjects/person:`, ... */
export function subjectFolder(type: SubjectType): string {
  return type === "subject" ? "/subjects/" : `/subjects/${type}:`;
}
