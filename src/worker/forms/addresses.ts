import type { CatalogRecord } from "../../catalog/record.ts";
import { percentEncodedSlug, recordSlug } from "../../catalog/slug.ts";
import { readView } from "../../catalog/view.ts";

/** Path of a record's page: `/books/OL1M/Some_Title`. `rest` is what follows, such as `/edit`. */
export function recordPage(key: string, record: CatalogRecord, rest = ""): string {
  const slug = recordSlug(readView(record)) ?? "";
  if (slug !== "") return `${key}/${percentEncodedSlug(slug)}${rest}`;
  return rest === "" ? key : `${key}/-${rest}`;
}
