import { porter } from "./porter.ts";

/** Stems kept in memory; all are dropped when there are more. */
const REMEMBERED_STEMS = 50_000;
/** Longer tokens are not kept, in UTF-16 units (see words.ts). */
const REMEMBERED_LENGTH = 12;
const WORD = /^[a-z]{3,}$/;
const known = new Map<string, string>();

/** The stem of a folded token (Porter 1980, search.md 10.2). Tokens with anything but a-z are their own stem. */
export function stem(token: string): string {
  const remembered = known.get(token);
  if (remembered !== undefined) return remembered;
  const made = WORD.test(token) ? porter(token) : token;
  if (token.length > REMEMBERED_LENGTH) return made;
  if (known.size >= REMEMBERED_STEMS) known.clear();
  known.set(token, made);
  return made;
}
