import * as z from "zod";

const INTEGER = /^\s*[+-]?\d+\s*$/;

const MESSAGES = {
  int_parsing: "Input should be a valid integer, unable to parse string as an integer",
  int_from_float: "Input should be a valid integer, got a number with a fractional part",
  int_type: "Input should be a valid integer",
};

/** An integer in a JSON body: a number without a fraction, or a text of digits (patrons.md 0.3). */
export function jsonInteger(bounded: z.ZodType<number, number> = z.int()) {
  return z
    .unknown()
    .transform((value, context) => {
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && INTEGER.test(value)) return Number(value);
      if (value === undefined) {
        context.issues.push({
          code: "invalid_type",
          expected: "int",
          input: value,
          message: "Field required",
        });
        return z.NEVER;
      }
      const type = problemOf(value);
      context.issues.push({ code: "custom", input: value, params: { type }, message: MESSAGES[type] });
      return z.NEVER;
    })
    .pipe(bounded);
}

function problemOf(value: unknown): keyof typeof MESSAGES {
  if (typeof value === "number") return "int_from_float";
  return typeof value === "string" ? "int_parsing" : "int_type";
}
