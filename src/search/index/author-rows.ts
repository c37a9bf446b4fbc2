import type { AuthorDocument } from "../documents/types.ts";
import { collationKey } from "../text/collation.ts";
import { AUTHOR_TEXT_COLUMNS } from "./columns.ts";
import { filterToken } from "./filter-token.ts";
import { fittedJson } from "./fitted-json.ts";
import { olidOfKey, randomOf } from "./ids.ts";
import type { AuthorSums, StoredAuthor } from "./stored.ts";
import { columnTexts, tokenText } from "./texts.ts";

/** Columns of `author` after `id` and `version`. */
export const AUTHOR_COLUMNS = [
  "work_count",
  "name_sort",
  "birth_date",
  "death_date",
  "random",
  "document",
] as const;

/** An author as it stands in the index. */
export interface AuthorRows {
  readonly id: number;
  readonly version: number;
  readonly key: string;
  /** Parallel to `AUTHOR_COLUMNS`. */
  readonly columns: readonly (string | number | null)[];
  /** Parallel to `AUTHOR_TEXT_COLUMNS`, then the tokens. */
  readonly texts: readonly string[];
}

/** What rows are made with. */
export interface AuthorRowOptions {
  readonly id: number;
  readonly version: number;
  readonly sums: AuthorSums;
}

/** The rows of an author with what the works add up to. */
export function authorRows(author: AuthorDocument, { id, version, sums }: AuthorRowOptions): AuthorRows {
  const stored: StoredAuthor = { ...author, ...sums };
  const tokens = [filterToken("k", olidOfKey(author.key))];
  return {
    id,
    version,
    key: author.key,
    columns: [
      sums.work_count,
      collationKey(author.name),
      author.birth_date ?? null,
      author.death_date ?? null,
      randomOf(id),
      fittedJson(stored),
    ],
    texts: [...columnTexts(AUTHOR_TEXT_COLUMNS, stored), tokenText(tokens)],
  };
}
