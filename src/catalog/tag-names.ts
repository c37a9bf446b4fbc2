/** Value of the row `tag_slug` of a tag: its type and one of its `slugs`. */
export function tagSlugValue(type: string, slug: string): string {
  return `${type}:${slug}`;
}

/** Value of the row `tag_name` of a tag: its type and its name, with `_` for blanks and in lower case as SQLite has it. */
export function tagNameValue(type: string, name: string): string {
  const lower = name.replaceAll(" ", "_").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `${type}:${lower}`;
}
