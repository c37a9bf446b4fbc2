import type * as z from "zod";
import { type Text, english, isTextKey } from "../../catalog/texts.ts";
import type { ValidationFailure } from "./errors.ts";

type Issue = z.core.$ZodIssue;
/** Type of a failure, its text, and the members of `ctx`. */
type Described = readonly [type: string, text: Text, ctx?: ValidationFailure["ctx"]];
/** Failure without a text of ours. */
type Untranslated = Pick<ValidationFailure, "type" | "msg" | "ctx">;

/** Type of failures that FastAPI's own checks do not know: their message begins with `Value error, `. */
const VALUE_ERROR = "value_error";

/**
 * Makes an entry of a 422 answer (Pydantic's types and messages): a `value_error` unless `type` is given.
 *
 *     throw validationFailed([invalid(["query", "sort"], { key: "validation.sort", values: { sort } }, { input: sort })]);
 */
export function invalid(
  loc: ValidationFailure["loc"],
  text: Text,
  { type = VALUE_ERROR, ...more }: Partial<Pick<ValidationFailure, "type" | "input" | "ctx">> = {},
): ValidationFailure {
  return { type, loc, msg: `${type === VALUE_ERROR ? "Value error, " : ""}${english(text)}`, text, ...more };
}

export function validationFailure(issue: Issue, place: string): ValidationFailure {
  const loc = [place, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
  const input = issue.input ?? null;
  const described = describe(issue);
  if ("msg" in described) return { ...described, loc, input };
  const [type, text, ctx] = described;
  return invalid(loc, text, { type, input, ...(ctx && { ctx }) });
}

/** Converts an issue that may concern several members: each unknown member gets an entry of its own. */
export function validationFailures(issue: Issue, place: string): ValidationFailure[] {
  if (issue.code !== "unrecognized_keys") return [validationFailure(issue, place)];
  const members = new Map(Object.entries(issue.input ?? {}));
  const loc = [place, ...issue.path.map(String)];
  return issue.keys.map((key) =>
    invalid([...loc, key], { key: "validation.extra" }, { type: "extra_forbidden", input: members.get(key) }),
  );
}

function describe(issue: Issue): Described | Untranslated {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? MISSING : wrongType(issue.expected);
    case "too_small":
      return outOfBounds(SMALLEST, issue, issue.minimum);
    case "too_big":
      return outOfBounds(LARGEST, issue, issue.maximum);
    case "invalid_value":
      return issue.input === undefined ? MISSING : wrongValue(issue.values);
    case "invalid_format":
      return wrongFormat(issue);
    case "custom":
      return custom(issue);
    default:
      return { type: VALUE_ERROR, msg: `Value error, ${issue.message}` };
  }
}

const MISSING: Described = ["missing", { key: "validation.missing" }];

const TYPES: Readonly<Record<string, Described>> = {
  string: ["string_type", { key: "validation.string" }],
  number: ["float_type", { key: "validation.number" }],
  int: ["int_type", { key: "validation.integer" }],
  boolean: ["bool_type", { key: "validation.boolean" }],
  array: ["list_type", { key: "validation.list" }],
  object: ["dict_type", { key: "validation.dictionary" }],
  record: ["dict_type", { key: "validation.dictionary" }],
};

function wrongType(expected: string): Described | Untranslated {
  return TYPES[expected] ?? { type: VALUE_ERROR, msg: `Input should be a valid ${expected}` };
}

/** Failures of texts, lists and numbers that are beyond a bound, or at an exclusive one. */
const SMALLEST = {
  member: "min_length",
  string: ["string_too_short", "validation.string_min"],
  array: ["too_short", "validation.list_min"],
  open: ["greater_than", "validation.above", "gt"],
  closed: ["greater_than_equal", "validation.at_least", "ge"],
} as const;
const LARGEST = {
  member: "max_length",
  string: ["string_too_long", "validation.string_max"],
  array: ["too_long", "validation.list_max"],
  open: ["less_than", "validation.below", "lt"],
  closed: ["less_than_equal", "validation.at_most", "le"],
} as const;

function outOfBounds(
  side: typeof SMALLEST | typeof LARGEST,
  { origin, inclusive, input }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  limit: number | bigint,
): Described {
  const count = Number(limit);
  if (origin === "string") {
    const [type, key] = side.string;
    return [type, { key, values: { count } }, { [side.member]: count }];
  }
  if (origin === "array") {
    const [type, key] = side.array;
    const actual = Array.isArray(input) ? input.length : 0;
    const ctx = { field_type: "List", [side.member]: count, actual_length: actual };
    return [type, { key, values: { count, actual } }, ctx];
  }
  const [type, key, sign] = inclusive === false ? side.open : side.closed;
  return [type, { key, values: { bound: count } }, { [sign]: count }];
}

function wrongValue(values: readonly unknown[]): Described {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? "";
  const expected = quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
  return ["literal_error", { key: "validation.one_of", values: { expected } }, { expected }];
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): Described {
  const source = issue.pattern?.replace(/^\/|\/[a-z]*$/g, "") ?? issue.format;
  const pattern = source.replaceAll("\\/", "/");
  return ["string_pattern_mismatch", { key: "validation.pattern", values: { pattern } }, { pattern }];
}

/**
 * Reads an issue of our own schemas: its message is the key of a text, with the values, the type and `ctx` in its
 * parameters.
 */
function custom({ message, params = {} }: z.core.$ZodIssueCustom): Described | Untranslated {
  const { type, values, ctx } = params as CustomParams;
  if (isTextKey(message)) return [type ?? VALUE_ERROR, { key: message, values }, ctx];
  if (type === undefined) return { type: VALUE_ERROR, msg: `Value error, ${message}` };
  return { type, msg: message, ...(ctx && { ctx }) };
}

interface CustomParams {
  readonly type?: string;
  readonly values?: Text["values"];
  readonly ctx?: ValidationFailure["ctx"];
}
