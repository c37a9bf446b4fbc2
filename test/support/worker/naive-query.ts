/** A condition of a query as the contract has it, for records in memory. */
export interface NaiveCondition {
  /** Dotted path without array indexes. */
  readonly path: string;
  readonly operator: string;
  /** Alternatives, by kind; one has to match. */
  readonly values: readonly NaiveValue[];
}
export type NaiveValue = { text: string } | { number: number } | { key: string };
export type Document = Record<string, unknown> & { key: string };

/** Records that meet all conditions, in the order of their numbers. */
export function naiveQuery(
  documents: readonly Document[],
  conditions: readonly NaiveCondition[],
): Document[] {
  return documents
    .filter((document) => conditions.every((condition) => meets(document, condition)))
    .toSorted((a, b) => rank(a.key) - rank(b.key));
}

/** True when one of the leaves at the path meets the condition. */
export function meets(document: unknown, { path, operator, values }: NaiveCondition): boolean {
  const leaves = leavesAt(document, path.split("."));
  return leaves.some((leaf) => values.some((value) => compares(leaf, operator, value)));
}

function leavesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (name === undefined) return Array.isArray(value) ? value.flat(9) : [value];
  const objects = Array.isArray(value) ? value.flat(9) : [value];
  return objects.flatMap((object: unknown) => {
    if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return [];
    return leavesAt(Object(object)[name], rest);
  });
}

function compares(leaf: unknown, operator: string, value: NaiveValue): boolean {
  if ("number" in value) return Number.isInteger(leaf) && ordered(Number(leaf), operator, value.number);
  if ("key" in value) {
    const { key } = Object(leaf);
    return typeof leaf === "object" && typeof key === "string" && ordered(key, operator, value.key);
  }
  if (typeof leaf !== "string") return false;
  if (operator === "~" || operator === "~i") return pattern(value.text, operator).test(leaf);
  return ordered(leaf, operator, value.text);
}

function ordered<Value extends string | number>(leaf: Value, operator: string, value: Value): boolean {
  switch (operator) {
    case "=":
      return leaf === value;
    case "!=":
      return leaf !== value;
    case "<":
      return leaf < value;
    case "<=":
      return leaf <= value;
    case ">":
      return leaf > value;
    case ">=":
      return leaf >= value;
    default:
      throw new Error(`operator ${operator}`);
  }
}

function pattern(text: string, operator: "~" | "~i"): RegExp {
  const parts = text.split("*").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[^]*")}$`, operator === "~i" ? "i" : "");
}

/** Authors, editions, works, each by number; then all other keys as they came. */
function rank(key: string): number {
  const [, number = "0", letter = ""] = /OL(\d+)([AMW])$/.exec(key) ?? [];
  return "AMW".indexOf(letter) * 1e9 + Number(number);
}
