import { lastSegmentOf } from "../../catalog/keys.ts";
import { subjectKeysOf } from "../documents/derived.ts";
import type {
  AuthorDocument,
  AuthorSums,
  ListDocument,
  ListSubjects,
  StoredAuthor,
  StoredList,
} from "../documents/types.ts";
import { type SubjectType, SUBJECT_TYPES, subjectFolderOf, subjectKeyOf } from "../documents/subject-key.ts";
import { codeOf } from "../fields.ts";
import { collationKeyOf } from "../text/collation.ts";
import { fieldTokensOf } from "./document-tokens.ts";
import {
  AUTHOR_TEXT_COLUMNS,
  LIST_TEXT_COLUMNS,
  SUBJECT_TEXT_COLUMNS,
  columnTextsOf,
  fitJson,
  joinTokens,
} from "./columns.ts";
import { toFilterToken } from "./filter-token.ts";
import { authorRowId, randomOf, randomOfText } from "./ids.ts";

export const AUTHOR_COLUMNS = [
  "work_count",
  "name_sort",
  "birth_date",
  "death_date",
  "random",
  "document",
] as const;

export interface AuthorRows {
  readonly id: number;
  /** Row of `texts`; see `authorRowId`. */
  readonly textRow: number;
  readonly version: number;
  readonly key: string;
  /** Columns parallel to `AUTHOR_COLUMNS`. */
  readonly columns: readonly (string | number | null)[];
  /** Texts parallel to `AUTHOR_TEXT_COLUMNS`, then the tokens. */
  readonly texts: readonly string[];
}

/** Returns the rows of an author with the sums over the author's works. */
export function toAuthorRows(
  author: AuthorDocument,
  { id, version, sums }: { id: number; version: number; sums: AuthorSums },
): AuthorRows {
  const stored: StoredAuthor = { ...author, ...sums };
  const numbers = author.remote_ids?.map((number) => number.slice(number.indexOf(":") + 1)) ?? [];
  const tokens = [
    toFilterToken("k", lastSegmentOf(author.key)),
    ...numbers.map((number) => toFilterToken("id", number)),
  ];
  return {
    id,
    textRow: authorRowId(id, sums.work_count),
    version,
    key: author.key,
    columns: [
      sums.work_count,
      collationKeyOf(author.name),
      author.birth_date ?? null,
      author.death_date ?? null,
      randomOf(id),
      fitJson(stored),
    ],
    texts: [...columnTextsOf(AUTHOR_TEXT_COLUMNS, stored), joinTokens(tokens)],
  };
}

export const LIST_COLUMNS = [
  "list_type",
  "name_sort",
  "last_modified",
  "seed_count",
  "random",
  "document",
] as const;

export interface ListRows {
  readonly key: string;
  readonly version: number;
  /** Columns parallel to `LIST_COLUMNS`. */
  readonly columns: readonly (string | number)[];
  /** Texts parallel to `LIST_TEXT_COLUMNS`, then the tokens. */
  readonly texts: readonly string[];
}

/** Returns the rows of a list with the subjects of its works. */
export function toListRows(list: ListDocument, version: number, subjects: ListSubjects): ListRows {
  const stored: StoredList = { ...list, ...subjects };
  return {
    key: list.key,
    version,
    columns: [
      list.list_type,
      collationKeyOf(list.name),
      list.last_modified,
      list.seed_count,
      randomOfText(list.key),
      fitJson(stored),
    ],
    texts: [...columnTextsOf(LIST_TEXT_COLUMNS, stored), joinTokens(listTokensOf(stored))],
  };
}

function listTokensOf(list: StoredList): string[] {
  return [
    toFilterToken("k", list.key),
    toFilterToken("lt", list.list_type),
    ...fieldTokensOf("seed", list.seed),
    ...SUBJECT_TYPES.flatMap((field) => fieldTokensOf(`${field}_key`, subjectKeysOf(list[field] ?? []))),
  ];
}

export interface SubjectRow {
  readonly key: string;
  readonly name: string;
  readonly type: SubjectType;
  /** Token of works with any spelling of the subject. */
  readonly keyToken: string;
  /** Token of works with this spelling. */
  readonly nameToken: string;
}

export type SubjectNames = Readonly<Partial<Record<SubjectType, readonly string[] | null>>>;

/** Returns the subjects of a document. */
export function toSubjectRows(names: SubjectNames): SubjectRow[] {
  return SUBJECT_TYPES.flatMap((type) =>
    (names[type] ?? []).flatMap((name) => toSubjectRow(type, name) ?? []),
  );
}

/** Returns one subject; undefined if its name gives no key. */
export function toSubjectRow(type: SubjectType, name: string): SubjectRow | undefined {
  const slug = subjectKeyOf(name);
  if (slug === "") return undefined;
  return {
    key: subjectFolderOf(type) + slug,
    name,
    type,
    keyToken: toFilterToken(codeOf(`${type}_key`), slug),
    nameToken: toFilterToken(codeOf(`${type}_facet`), name),
  };
}

/** Returns the texts of a subject: parallel to `SUBJECT_TEXT_COLUMNS`, then the tokens. */
export function subjectTextsOf({ key, name, type }: SubjectRow): string[] {
  const tokens = [toFilterToken("k", key), toFilterToken("ty", type)];
  return [...columnTextsOf(SUBJECT_TEXT_COLUMNS, { name }), joinTokens(tokens)];
}
