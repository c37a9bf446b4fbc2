import { literalTree } from "./escape.ts";
import type { FieldScheme } from "./fields.ts";
import { SEARCH_TEXT_LENGTH_MAX } from "./limits.ts";
import { parseSyntax } from "./parse.ts";
import type { Tree } from "./syntax.ts";

/** What a text is: nothing, a tree, or too much. */
export type TextTree =
  | { readonly kind: "empty" }
  | { readonly kind: "too-complex" }
  | { readonly kind: "tree"; readonly tree: Tree; readonly isLiteral: boolean };

/** Parses a text; one that breaks the grammar is taken as plain words (search.md 3.1). */
export function textTree(text: string, scheme: FieldScheme): TextTree {
  if (text.length > SEARCH_TEXT_LENGTH_MAX) return { kind: "too-complex" };
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "empty" };
  const parsed = parseSyntax(trimmed, scheme);
  if (parsed === "depth") return { kind: "too-complex" };
  if (parsed !== "grammar") return { kind: "tree", tree: parsed, isLiteral: false };
  const tree = literalTree(trimmed);
  return tree === undefined ? { kind: "empty" } : { kind: "tree", tree, isLiteral: true };
}
