import { workTitleKey } from "../../catalog/matching/title-key.ts";
import { stringsOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import type { Found } from "../load/found.ts";
import { recordOf } from "../load/found-records.ts";
import { authorKeys } from "../load/references.ts";
import type { ImportRecord } from "../record.ts";

/** The work of one of these authors that has the record's title: the first author's, with the lowest number (18.1). */
export function findWork(
  { title }: ImportRecord,
  authors: readonly string[],
  found: Found,
): StoredForWrite | undefined {
  const key = workTitleKey(stringsOf(title)[0] ?? "");
  if (key === "") return undefined;
  for (const author of authors) {
    for (const workKey of found.worksOf.get(author) ?? []) {
      const work = recordOf(found, workKey, "/type/work");
      if (work === undefined || !isBy(work, author, found)) continue;
      const { title: stored } = work.document;
      if (typeof stored === "string" && workTitleKey(stored) === key) return work;
    }
  }
  return undefined;
}

function isBy({ document }: StoredForWrite, author: string, found: Found): boolean {
  return authorKeys(document["authors"]).some(
    (key) => key === author || recordOf(found, key, "/type/author")?.key === author,
  );
}
