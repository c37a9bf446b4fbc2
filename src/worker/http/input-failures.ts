import type * as z from "zod";
import type { ValidationFailure } from "./errors.ts";

type Issue = z.core.$ZodIssue;
type Described = Pick<ValidationFailure, "type" | "msg" | "ctx">;

/** Turns an issue of zod into an entry of a 422 answer, word for word as FastAPI has it. */
export function validationFailure(issue: Issue, place: string): ValidationFailure {
  const loc = [place, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
  const { type, msg, ctx } = describe(issue);
  return { type, loc, msg, input: issue.input ?? null, ...(ctx === undefined ? {} : { ctx }) };
}

/** The same of an issue that may be about several members: each that is not known is told by itself. */
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
      return issue.input === undefined ? missing() : wrongType(issue.expected);
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_value":
      return issue.input === undefined ? missing() : wrongValue(issue.values);
    case "invalid_format":
      return wrongFormat(issue);
    case "custom":
      return custom(issue);
    default:
      return { type: "value_error", msg: `Value error, ${issue.message}` };
  }
}

function missing(): Described {
  return { type: "missing", msg: "Field required" };
}

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

function tooSmall(issue: z.core.$ZodIssueTooSmall): Described {
  const bound = Number(issue.minimum);
  if (issue.origin === "string") {
    return sized("string_too_short", `String should have at least ${characters(bound)}`, {
      min_length: bound,
    });
  }
  if (issue.origin === "array") {
    const { msg, actual } = listSize(`at least ${items(bound)}`, issue.input);
    return sized("too_short", msg, { field_type: "List", min_length: bound, actual_length: actual });
  }
  return issue.inclusive === false
    ? sized("greater_than", `Input should be greater than ${bound}`, { gt: bound })
    : sized("greater_than_equal", `Input should be greater than or equal to ${bound}`, { ge: bound });
}

function tooBig(issue: z.core.$ZodIssueTooBig): Described {
  const bound = Number(issue.maximum);
  if (issue.origin === "string") {
    return sized("string_too_long", `String should have at most ${characters(bound)}`, { max_length: bound });
  }
  if (issue.origin === "array") {
    const { msg, actual } = listSize(`at most ${items(bound)}`, issue.input);
    return sized("too_long", msg, { field_type: "List", max_length: bound, actual_length: actual });
  }
  return issue.inclusive === false
    ? sized("less_than", `Input should be less than ${bound}`, { lt: bound })
    : sized("less_than_equal", `Input should be less than or equal to ${bound}`, { le: bound });
}

function sized(type: string, msg: string, ctx: Record<string, unknown>): Described {
  return { type, msg, ctx };
}

function listSize(bound: string, input: unknown): { readonly msg: string; readonly actual: number } {
  const actual = Array.isArray(input) ? input.length : 0;
  return { msg: `List should have ${bound} after validation, not ${actual}`, actual };
}

function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}`;
}

function items(count: number): string {
  return `${count} item${count === 1 ? "" : "s"}`;
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
