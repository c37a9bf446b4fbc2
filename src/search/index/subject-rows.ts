import { type SubjectType, subjectFolder, subjectKey } from "../documents/subject-key.ts";
import { SUBJECT_TEXT_COLUMNS } from "./columns.ts";
import { fieldCode, filterToken } from "./filter-token.ts";
import { columnTexts, tokenText } from "./texts.ts";

/** A subject under one of its spellings. */
export interface SubjectRow {
  /** `/subjects/place:france`. */
  readonly key: string;
  readonly name: string;
  readonly type: SubjectType;
  /** Token of works with any spelling of it. */
  readonly keyToken: string;
  /** Token of works with this spelling. */
  readonly nameToken: string;
}

/** The subjects of a work or list, by kind. */
export type SubjectNames = Readonly<Partial<Record<SubjectType, readonly string[] | null>>>;

const TYPES = ["subject", "person", "place", "time"] as const;

/** The subjects of a document. */
export function subjectRows(names: SubjectNames): SubjectRow[] {
  return TYPES.flatMap((type) => (names[type] ?? []).flatMap((name) => subjectRow(type, name) ?? []));
}

/** One subject; undefined when its name leaves nothing for a key. */
export function subjectRow(type: SubjectType, name: string): SubjectRow | undefined {
  const slug = subjectKey(name);
  if (slug === "") return undefined;
  return {
    key: subjectFolder(type) + slug,
    name,
    type,
    keyToken: filterToken(fieldCode(`${type}_key`) ?? "", slug),
    nameToken: filterToken(fieldCode(`${type}_facet`) ?? "", name),
  };
}

/** Texts of a subject: parallel to `SUBJECT_TEXT_COLUMNS`, then the tokens. */
export function subjectTexts({ key, name, type }: SubjectRow): string[] {
  const tokens = [filterToken("k", key), filterToken("ty", type)];
  return [...columnTexts(SUBJECT_TEXT_COLUMNS, { name }), tokenText(tokens)];
}
