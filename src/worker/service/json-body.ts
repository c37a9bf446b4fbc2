import type * as z from "zod";
import { bodyText } from "../http/bytes.ts";
import { badData } from "../http/errors.ts";
import { queryJson } from "../http/request-body.ts";

interface Expected {
  /** Largest body, in bytes. */
  readonly limit: number;
  /** In words, for who sends something else. */
  readonly expected: string;
  /** What no body at all stands for. */
  readonly otherwise?: string;
}

/** The JSON that the operator sends; throws a 400 that says what is expected. */
export async function jsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  { limit, expected, otherwise }: Expected,
): Promise<z.output<Schema>> {
  const text = await bodyText(request, limit);
  const parsed = schema.safeParse(queryJson(text.trim() === "" ? (otherwise ?? text) : text));
  if (!parsed.success) throw badData(`Bad body: expected ${expected}`);
  return parsed.data;
}
