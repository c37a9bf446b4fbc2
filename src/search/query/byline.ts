import { fold } from "../text/collation.ts";
import { type Leaf, type Query, allOf, anyOf } from "./query.ts";

/** Words before an author, as in `Jane Eyre by Charlotte Brontë`. The first kind that occurs decides. */
const BYLINE_WORDS = [new Set(["by"]), new Set(["par"]), new Set(["von", "de", "di"])];
const AUTHOR_FIELDS = ["author_name", "author_alternative_name"] as const;

interface Byline<Item> {
  title: readonly Item[];
  by: Item;
  author: readonly Item[];
}

/** Splits words at the last one that may lead to an author; undefined without words on both sides. */
export function bylineOf<Item>(
  items: readonly Item[],
  wordOf: (item: Item) => string,
): Byline<Item> | undefined {
  const words = items.map((item) => fold(wordOf(item)));
  for (const leading of BYLINE_WORDS) {
    const at = words.findLastIndex((word, index) => leading.has(word) && index < words.length - 1);
    const by = items[at];
    if (at > 0 && by !== undefined) return { title: items.slice(0, at), by, author: items.slice(at + 1) };
  }
  return undefined;
}

/** Returns a query that also finds works by the author in its last words, even without the word before these (Q528). */
export function addByline(query: Query): Query {
  if (query.op !== "and") return query;
  const words = query.of.filter((part) => isWord(part));
  const byline = bylineOf(words, (leaf) => (leaf.value.kind === "word" ? leaf.value.text : ""));
  if (byline === undefined) return { op: "and", of: query.of.map(addByline) };
  const { title, by: leading, author } = byline;
  const others = query.of.filter((part) => !isWord(part));
  const named = author.map((leaf) => anyOf(AUTHOR_FIELDS.map((field) => inField(leaf, field))));
  return allOf([...title, anyOf([allOf([leading, ...author]), allOf(named)]), ...others]);
}

function inField(leaf: Leaf, field: string): Leaf {
  return { ...leaf, field };
}

function isWord(query: Query): query is Leaf {
  if (query.op !== "match" || query.field !== null) return false;
  return query.value.kind === "word" || query.value.kind === "phrase";
}
