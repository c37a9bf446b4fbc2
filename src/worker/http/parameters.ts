import * as z from "zod";
import type { TextKey } from "../../catalog/texts.ts";

const INTEGER = /^\s*[+-]?\d+\s*$/;
const TRUE = new Set(["1", "true", "t", "yes", "y", "on"]);
const FALSE = new Set(["0", "false", "f", "no", "n", "off"]);

const MESSAGES = {
  int_parsing: "validation.integer_text",
  int_from_float: "validation.fraction",
  int_type: "validation.integer",
} satisfies Record<string, TextKey>;

/** Returns the schema of an integer in a URL, within the bounds of `bounded`. */
export function integer(bounded: z.ZodType<number, number> = z.int()) {
  return parseWith(readInteger, { type: "int_parsing", message: MESSAGES.int_parsing }).pipe(bounded);
}

function readInteger(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text) : undefined;
}

export function boolean() {
  const failure = { type: "bool_parsing", message: "validation.boolean_text" } as const;
  return parseWith(readBoolean, failure).pipe(z.boolean());
}

function readBoolean(text: string): boolean | undefined {
  const folded = text.toLowerCase();
  return TRUE.has(folded) ? true : FALSE.has(folded) ? false : undefined;
}

/** Text of a number or boolean: an empty one is absent in forms too, where other empty texts are values. */
export const PARSED_TEXT = z.string();

function parseWith<Value>(
  read: (text: string) => Value | undefined,
  { type, message }: { type: string; message: TextKey },
) {
  return PARSED_TEXT.transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: "custom", input: text, params: { type }, message });
    return z.NEVER;
  });
}

/** Returns the schema of an integer that falls back instead of failing, as in older routes; clamped to the bounds. */
export function lenientInteger(fallback: number, bounds: { min: number; max: number }) {
  return z
    .string()
    .optional()
    .transform((text) => {
      const value = readInteger(text ?? "") ?? fallback;
      return Math.min(bounds.max, Math.max(bounds.min, value));
    })
    .pipe(z.int().gte(bounds.min).lte(bounds.max));
}

export function callbackName() {
  return z
    .string()
    .regex(/^[A-Za-z_$][A-Za-z0-9_$.]*$/)
    .max(200)
    .optional()
    .describe("Name of a JavaScript function that receives the JSON (JSONP)");
}

/** Returns the schema of an integer in a JSON body: a number without a fraction, or a text of digits. */
export function jsonInteger(bounded: z.ZodType<number, number> = z.int()) {
  return z
    .unknown()
    .meta({ ...z.toJSONSchema(bounded), type: ["integer", "string"], pattern: INTEGER.source })
    .transform((value, context) => {
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && INTEGER.test(value)) return Number(value);
      if (value === undefined) {
        context.issues.push({ code: "invalid_type", expected: "int", input: value });
        return z.NEVER;
      }
      const type = integerProblem(value);
      context.issues.push({ code: "custom", input: value, params: { type }, message: MESSAGES[type] });
      return z.NEVER;
    })
    .pipe(bounded);
}

function integerProblem(value: unknown): keyof typeof MESSAGES {
  if (typeof value === "number") return "int_from_float";
  return typeof value === "string" ? "int_parsing" : "int_type";
}

export function digitsOf(noun: string, text = z.string()) {
  return text.meta({ description: `Digits of the ${noun}'s number`, pattern: "^\\d+$" });
}

export const slug = z.string().optional().describe("Readable part of the address; any text");
export const ownSlug = z.string().optional().describe("Readable part of the address");

export const ENTRIES_PER_PAGE = 25;
const PAGE_MAX = 100_000;

export function pageNumber() {
  return lenientInteger(1, { min: 1, max: PAGE_MAX }).describe("Page number, from 1");
}

export function listPageText(description = "Page number, from 1") {
  return z.string().optional().meta({ description, type: "integer", minimum: 1 });
}

export function lastPage(total: number): number {
  return Math.max(1, Math.ceil(total / ENTRIES_PER_PAGE));
}

export const LIST_PAGES_MAX = 200;

export function listPageNumber(text: string | undefined): number {
  const number = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 1;
  return Math.min(LIST_PAGES_MAX, Math.max(1, number));
}
