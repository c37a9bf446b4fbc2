import type * as z from "zod";
import type { ValidationFailure } from "./errors.ts";

type Issue = z.core.$ZodIssue;
type Described = Pick<ValidationFailure, "type" | "msg" | "ctx">;

export function validationFailure(issue: Issue, place: string): ValidationFailure {
  const loc = [place, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
  const { type, msg, ctx } = describe(issue);
  return { type, loc, msg, input: issue.input ?? null, ...(ctx === undefined ? {} : { ctx }) };
}

/** Converts an issue that may concern several members: each unknown member gets an entry of its own. */
export function validationFailures(issue: Issue, place: string): ValidationFailure[] {
  if (issue.code !== "unrecognized_keys") return [validationFailure(issue, place)];
  const members = new Map(Object.entries(issue.input ?? {}));
  const { loc } = validationFailure(issue, place);
  const [type, msg] = ["extra_forbidden", "Extra inputs are not permitted"];
  return issue.keys.map((key) => ({ type, loc: [...loc, key], msg, input: members.get(key) }));
}

function describe(issue: Issue): Described {
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
      return { type: "value_error", msg: `Value error, ${issue.message}` };
  }
}

const MISSING: Described = { type: "missing", msg: "Field required" };

function wrongType(expected: string): Described {
  const names: Record<string, [string, string]> = {
    string: ["string_type", "string"],
    number: ["float_type", "number"],
    int: ["int_type", "integer"],
    boolean: ["bool_type", "boolean"],
    array: ["list_type", "list"],
    object: ["dict_type", "dictionary"],
    record: ["dict_type", "dictionary"],
  };
  const [type, noun] = names[expected] ?? ["value_error", expected];
  return { type, msg: `Input should be a valid ${noun}` };
}

/** Wording of failures for texts, lists and numbers that are beyond a bound or at an exclusive one. */
const SMALLEST = {
  has: "at least",
  member: "min_length",
  types: { string: "string_too_short", array: "too_short" },
  open: ["greater_than", "greater than", "gt"],
  closed: ["greater_than_equal", "greater than or equal to", "ge"],
} as const;
const LARGEST = {
  has: "at most",
  member: "max_length",
  types: { string: "string_too_long", array: "too_long" },
  open: ["less_than", "less than", "lt"],
  closed: ["less_than_equal", "less than or equal to", "le"],
} as const;

function outOfBounds(
  side: typeof SMALLEST | typeof LARGEST,
  { origin, inclusive, input }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  limit: number | bigint,
): Described {
  const bound = Number(limit);
  const { has, member, types } = side;
  if (origin === "string") {
    const msg = `String should have ${has} ${bound} character${bound === 1 ? "" : "s"}`;
    return { type: types.string, msg, ctx: { [member]: bound } };
  }
  if (origin === "array") {
    const actual = Array.isArray(input) ? input.length : 0;
    const msg = `List should have ${has} ${bound} item${bound === 1 ? "" : "s"} after validation, not ${actual}`;
    return { type: types.array, msg, ctx: { field_type: "List", [member]: bound, actual_length: actual } };
  }
  const [type, words, sign] = inclusive === false ? side.open : side.closed;
  return { type, msg: `Input should be ${words} ${bound}`, ctx: { [sign]: bound } };
}

function wrongValue(values: readonly unknown[]): Described {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? "";
  const expected = quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
  return { type: "literal_error", msg: `Input should be ${expected}`, ctx: { expected } };
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): Described {
  const source = issue.pattern?.replace(/^\/|\/[a-z]*$/g, "") ?? issue.format;
  const pattern = source.replaceAll("\\/", "/");
  return {
    type: "string_pattern_mismatch",
    msg: `String should match pattern '${pattern}'`,
    ctx: { pattern },
  };
}

function custom(issue: z.core.$ZodIssueCustom): Described {
  const type: unknown = issue.params?.["type"];
  const ctx: unknown = issue.params?.["ctx"];
  if (typeof type !== "string") return { type: "value_error", msg: `Value error, ${issue.message}` };
  // `ctx` comes from our own schemas, which write an object there.
  return { type, msg: issue.message, ...(ctx === undefined ? {} : { ctx: ctx as Described["ctx"] }) };
}
