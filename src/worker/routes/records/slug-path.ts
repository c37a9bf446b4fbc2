const SLUGGED = /^((?:\/people\/[^/]+)?\/\w+\/(?:[A-Z]{2}\d+[MWALT]|ia:[\w.-]+))(?:\/([^/]*))?(\/.*)?$/;

/** A path of a record that has a readable address: key, the segment after it, and the rest. */
export interface SluggedPath {
  readonly key: string;
  readonly slug: string | undefined;
  readonly rest: string;
}

/** Splits `/books/OL1M/Some_Title/edit`; undefined for records without readable addresses. */
export function sluggedPath(path: string, prefix: string): SluggedPath | undefined {
  const [, key, slug, rest = ""] = SLUGGED.exec(path) ?? [];
  if (key === undefined) return undefined;
  const id = key.slice(key.lastIndexOf("/") + 1);
  return id.startsWith(prefix) || id.startsWith("ia:") ? { key, slug, rest } : undefined;
}

/** The key in a path whose second segment is decoration. */
export function withoutSlug(path: string, prefix: string): string {
  const slugged = sluggedPath(path, prefix);
  return slugged === undefined || slugged.rest !== "" ? path : slugged.key;
}
