import { workTitleKey } from "../matching/title-key.ts";

/** Works that may be one, in the order in which they came. */
export type AlikeWorks<Work> = readonly Work[];

/**
 * Groups of works whose titles are one title to imports (`workTitleKey`), two or more each, in the order of their first
 * works. Works without a title are in none.
 */
export function alikeWorks<Work extends { readonly title: string }>(
  works: readonly Work[],
): AlikeWorks<Work>[] {
  const groups = new Map<string, Work[]>();
  for (const work of works) {
    const key = workTitleKey(work.title);
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [work]);
    else group.push(work);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
