import * as z from "zod";
import { type ValidationFailure, validationFailed } from "../errors.ts";
import type { AnyOperation, Parameters } from "../operation.ts";
import { validationFailure } from "./failures.ts";

interface CheckedInput {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
}

type Raw = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The two schemas of an operation, made once. */
export interface InputSchemas {
  readonly path: z.ZodObject;
  readonly query: z.ZodObject;
  readonly lists: ReadonlySet<string>;
  readonly isEmpty: boolean;
}

/** Prepares the schemas of an operation. */
export function inputSchemas({ path, query }: AnyOperation): InputSchemas {
  const lists = Object.keys(query).filter((name) => isList(query[name]));
  const isEmpty = Object.keys(path).length + Object.keys(query).length === 0;
  return { path: z.object(shape(path)), query: z.object(shape(query)), lists: new Set(lists), isEmpty };
}

function shape(parameters: Parameters): Record<string, z.ZodType> {
  return { ...parameters };
}

function isList(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    // The inner type of a zod schema is a zod schema.
    return isList(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return isList(schema.in as z.ZodType);
  return schema instanceof z.ZodArray;
}

/** Checks path and query together; throws one error with all failures. */
export function checkInput(schemas: InputSchemas, rawPath: Raw, search: URLSearchParams): CheckedInput {
  if (schemas.isEmpty) return { path: {}, query: {} };
  const raw = rawQuery(schemas, search);
  const path = schemas.path.safeParse(rawPath, { reportInput: true });
  const query = schemas.query.safeParse(raw, { reportInput: true });
  if (path.success && query.success) return { path: path.data, query: query.data };
  throw validationFailed([...failures(path, "path", rawPath), ...failures(query, "query", raw)]);
}

function rawQuery({ query, lists }: InputSchemas, search: URLSearchParams): Raw {
  const raw: Record<string, string | string[]> = {};
  for (const name of Object.keys(query.shape)) {
    const values = search.getAll(name);
    const last = values.at(-1);
    if (last !== undefined) raw[name] = lists.has(name) ? values : last;
  }
  return raw;
}

function failures(result: z.ZodSafeParseResult<unknown>, place: string, raw: Raw): ValidationFailure[] {
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const failure = validationFailure(issue, place);
    const received = raw[String(issue.path[0])];
    // The text received, not the number it was read as.
    return typeof received === "string" ? { ...failure, input: received } : failure;
  });
}
