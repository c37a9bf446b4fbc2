import * as z from "zod";
import { type ValidationFailure, validationFailed } from "./errors.ts";
import { invalid, validationFailure, validationFailures } from "./input-failures.ts";
import type { AnyOperation, Parameters } from "./operation.ts";
import { PARSED_TEXT } from "./parameters.ts";
import type { ReceivedBody } from "./request-body.ts";

type Raw = Readonly<Record<string, string | readonly string[] | undefined>>;

const schemasByOperation = new WeakMap<AnyOperation, ReturnType<typeof createSchemas>>();

export function inputSchemas(operation: AnyOperation): ReturnType<typeof createSchemas> {
  let schemas = schemasByOperation.get(operation);
  if (schemas === undefined) {
    schemas = createSchemas(operation);
    schemasByOperation.set(operation, schemas);
  }
  return schemas;
}

function createSchemas({ path, query, form, json }: AnyOperation) {
  const isEmpty =
    Object.keys(path).length + Object.keys(query).length === 0 && form === undefined && json === undefined;
  return {
    path: placeSchema(path, () => false),
    // Q525: clients send parameters empty if they are not filled in.
    query: placeSchema(query, (schema) => isParsed(schema) || isOptional(schema)),
    // Forms clear a text by an empty one.
    form: placeSchema(form ?? {}, isParsed),
    json,
    isEmpty,
  };
}

function placeSchema(parameters: Parameters, isAbsentIfEmpty: (schema: z.ZodType) => boolean) {
  const fields = Object.entries(parameters).map(([name, schema]) => ({
    name,
    isArray: innermostSchema(schema) instanceof z.ZodArray,
    isAbsentIfEmpty: isAbsentIfEmpty(schema),
  }));
  return { schema: z.object({ ...parameters }), fields };
}
type PlaceSchema = ReturnType<typeof placeSchema>;

/** Returns true for numbers and booleans. */
function isParsed(schema: z.ZodType): boolean {
  return innermostSchema(schema) === PARSED_TEXT;
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

function innermostSchema(schema: z.ZodType): z.ZodType {
  // The inner type of a zod schema is a zod schema.
  if (schema instanceof z.ZodPipe) return innermostSchema(schema.in as z.ZodType);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodCatch;
  return isWrapper ? innermostSchema(schema.unwrap() as z.ZodType) : schema;
}

export type Received = { path: Raw; query: URLSearchParams; body: ReceivedBody };

const NO_INPUT = { path: {}, query: {}, form: {}, json: undefined };

/** Checks path, query and body together. Throws one error with all failures. */
export function checkInput(schemas: ReturnType<typeof inputSchemas>, { path, query, body }: Received) {
  if (schemas.isEmpty) return NO_INPUT;
  const failures: ValidationFailure[] = [];
  const fields = body.kind === "form" ? rawFields(schemas.form, body.fields) : {};
  const input = {
    path: checkPlace(schemas.path, path, { at: "path", failures }),
    query: checkPlace(schemas.query, rawFields(schemas.query, query), { at: "query", failures }),
    form: checkPlace(schemas.form, fields, { at: "body", failures }),
    json: checkJson(schemas.json, body, failures),
  };
  if (failures.length > 0) throw validationFailed(failures);
  return input;
}

function checkPlace(
  { schema }: PlaceSchema,
  raw: Raw,
  { at, failures }: { at: "path" | "query" | "body"; failures: ValidationFailure[] },
): Record<string, unknown> {
  const result = schema.safeParse(raw, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const failure = validationFailure(issue, at);
    const received = raw[String(issue.path[0])];
    const text = typeof received === "string" ? received : undefined;
    // The received text, not the number parsed from it; for a missing field, all fields of the form.
    const input = at === "body" && failure.type === "missing" ? withoutSecrets(raw) : (text ?? failure.input);
    failures.push(isSecret(String(issue.path[0])) ? withoutInput(failure) : { ...failure, input });
  }
  return {};
}

function checkJson(schema: z.ZodType | undefined, body: ReceivedBody, failures: ValidationFailure[]) {
  if (schema === undefined || body.kind !== "json") return undefined;
  const { value } = body;
  if (value === undefined && !schema.safeParse(value).success) {
    failures.push(invalid(["body"], { key: "validation.missing" }, { type: "missing", input: null }));
    return undefined;
  }
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    if (isNotAnObject(issue, schema)) {
      const type = "model_attributes_type";
      failures.push(invalid(["body"], { key: "validation.object" }, { type, input: value }));
      continue;
    }
    for (const failure of validationFailures(issue, "body")) {
      failures.push(failure.type === "missing" ? { ...failure, input: value } : failure);
    }
  }
  return undefined;
}

/** Returns true if the body is no object. Schemas that allow any members report a missing dictionary instead. */
function isNotAnObject({ code, path }: z.core.$ZodIssue, schema: z.ZodType): boolean {
  const isDictionary = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown;
  return code === "invalid_type" && path.length === 0 && !isDictionary;
}

function isSecret(name: string): boolean {
  return /password|secret|otp/i.test(name);
}

function withoutInput({ input: _input, ...failure }: ValidationFailure): ValidationFailure {
  return failure;
}

function withoutSecrets(raw: Raw): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !isSecret(name)));
}

function rawFields({ fields }: PlaceSchema, sent: URLSearchParams): Raw {
  const raw: Record<string, string | string[]> = {};
  for (const { name, isArray, isAbsentIfEmpty } of fields) {
    const texts = sent.getAll(name);
    const values = isAbsentIfEmpty ? texts.filter((text) => text.trim() !== "") : texts;
    const last = values.at(-1);
    if (last !== undefined) raw[name] = isArray ? values : last;
  }
  return raw;
}
