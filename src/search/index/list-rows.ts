import type { ListDocument } from "../documents/types.ts";
import { subjectKeys } from "../documents/derived.ts";
import { collationKey } from "../text/collation.ts";
import { tokensOf } from "./book-tokens.ts";
import { LIST_TEXT_COLUMNS } from "./columns.ts";
import { filterToken } from "./filter-token.ts";
import { fittedJson } from "./fitted-json.ts";
import { randomOfText } from "./ids.ts";
import type { ListSubjects, StoredList } from "./stored.ts";
import { columnTexts, tokenText } from "./texts.ts";

/** Columns of `list` after `key` and `version`. */
export const LIST_COLUMNS = [
  "list_type",
  "name_sort",
  "last_modified",
  "seed_count",
  "random",
  "document",
] as const;

/** A list or series as it stands in the index. */
export interface ListRows {
  readonly key: string;
  readonly version: number;
  /** Parallel to `LIST_COLUMNS`. */
  readonly columns: readonly (string | number)[];
  /** Parallel to `LIST_TEXT_COLUMNS`, then the tokens. */
  readonly texts: readonly string[];
}

/** The rows of a list with what its works are about. */
export function listRows(list: ListDocument, version: number, subjects: ListSubjects): ListRows {
  const stored: StoredList = { ...list, ...subjects };
  return {
    key: list.key,
    version,
    columns: [
      list.list_type,
      collationKey(list.name),
      list.last_modified,
      list.seed_count,
      randomOfText(list.key),
      fittedJson(stored),
    ],
    texts: [...columnTexts(LIST_TEXT_COLUMNS, stored), tokenText(listTokens(stored))],
  };
}

function listTokens(list: StoredList): string[] {
  return [
    filterToken("k", list.key),
    filterToken("lt", list.list_type),
    ...tokensOf("seed", list.seed),
    ...(["subject", "person", "place", "time"] as const).flatMap((field) =>
      tokensOf(`${field}_key`, subjectKeys(list[field] ?? [])),
    ),
  ];
}
