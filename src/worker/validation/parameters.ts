import * as z from "zod";

const INTEGER = /^\s*[+-]?\d+\s*$/;
const TRUE = new Set(["1", "true", "t", "yes", "y", "on"]);
const FALSE = new Set(["0", "false", "f", "no", "n", "off"]);

/** An integer as it comes in a URL (patrons.md 0.3), within the bounds of `bounded`. */
export function integer(bounded: z.ZodType<number, number> = z.int()) {
  return z
    .string()
    .transform((text, context) => {
      if (INTEGER.test(text)) return Number(text);
      context.issues.push({
        code: "custom",
        input: text,
        params: { type: "int_parsing" },
        message: "Input should be a valid integer, unable to parse string as an integer",
      });
      return z.NEVER;
    })
    .pipe(bounded);
}

/** A boolean as it comes in a URL: `true`, `1`, `yes`, `on`, ... in any case. */
export function boolean() {
  return z
    .string()
    .transform((text, context) => {
      const folded = text.toLowerCase();
      if (TRUE.has(folded)) return true;
      if (FALSE.has(folded)) return false;
      context.issues.push({
        code: "custom",
        input: text,
        params: { type: "bool_parsing" },
        message: "Input should be a valid boolean, unable to interpret input",
      });
      return z.NEVER;
    })
    .pipe(z.boolean());
}

/** An integer that falls back instead of failing, as the older routes do; clamped to the bounds. */
export function lenientInteger(fallback: number, bounds: { min: number; max: number }) {
  return z
    .string()
    .optional()
    .transform((text) => {
      const value = text !== undefined && INTEGER.test(text) ? Number(text) : fallback;
      return Math.min(bounds.max, Math.max(bounds.min, value));
    })
    .pipe(z.int());
}

/** Name of a JSONP function (lookup.md 0.3). */
export function callbackName() {
  return z
    .string()
    .regex(/^[A-Za-z_$][A-Za-z0-9_$.]*$/)
    .max(200)
    .optional()
    .describe("Name of a function that receives the JSON (JSONP)");
}
