import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { utf8Length } from "../../catalog/bytes.ts";
import { keyOfAddress, lastSegmentOf, makeNumberedKey, parseOlid } from "../../catalog/keys.ts";
import { type CatalogRecord, type Json, keyOf, objectsOf } from "../../catalog/record.ts";
import { type RouteCaller, ToolFailure } from "./call-route.ts";

/** Bytes of an answer's JSON: what a model reads at once by default, and the most that it may ask for. */
const TOOL_ANSWER_BYTES = { default: 24_000, max: 200_000 };

/** Annotations of tools. All of them work on this catalog only, so none is of an open world. */
const HINTS = {
  reads: { readOnlyHint: true, idempotentHint: true, destructiveHint: false },
  adds: { readOnlyHint: false, idempotentHint: false, destructiveHint: false },
  addsOnce: { readOnlyHint: false, idempotentHint: true, destructiveHint: false },
  replaces: { readOnlyHint: false, idempotentHint: true, destructiveHint: true },
  edits: { readOnlyHint: false, idempotentHint: false, destructiveHint: true },
} as const;

interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: keyof typeof HINTS;
  /** Scope that a token needs; absent for tools that need no sign-in. */
  readonly scope?: "read" | "shelves" | "lists" | "edit";
  readonly input: I;
  readonly output: O;
  run(input: z.output<I>, caller: RouteCaller): Promise<z.input<O>>;
}

export type Tool = ToolDefinition<z.ZodObject, z.ZodObject>;

export function tool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): Tool {
  // The server calls `run` with what `input` has parsed.
  return definition as unknown as Tool;
}

export function registerTool(
  server: McpServer,
  { name, title, description, hints, scope, input, output, run }: Tool,
  caller: RouteCaller,
): void {
  const config = {
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: { ...HINTS[hints], openWorldHint: false },
  };
  server.registerTool(name, config, async (args) => {
    try {
      const structuredContent = await run(args, caller);
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (error) {
      const { status, message, next } = caller.refusalOf(error, scope);
      const text = JSON.stringify({ error: message, status, next_step: next });
      return { content: [{ type: "text", text }], isError: true };
    }
  });
}

export const maxBytes = {
  max_bytes: z
    .int()
    .gte(1000)
    .lte(TOOL_ANSWER_BYTES.max)
    .default(TOOL_ANSWER_BYTES.default)
    .describe("Most bytes of the answer's JSON; a list is cut there, and next_cursor leads on"),
};

/** Input of tools that return a page of a list. */
export const paging = {
  limit: z.int().gte(1).lte(100).default(20).describe("Most entries of the answer"),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe("next_cursor of the answer before"),
  ...maxBytes,
};

export const nextCursor = { next_cursor: z.string().optional().describe("Present if there is more") };

export function offsetOf({ cursor = "0" }: { cursor?: string | undefined }): number {
  return Number(cursor);
}

/**
 * Q846: cuts a list of an answer from its end, so that the answer has at most `most` bytes of JSON. `cursorAt` returns the
 * cursor after so many entries, or undefined at the end of the list. Throws if not even the first entry fits.
 */
export function fitList<Answer extends object, Name extends keyof Answer & string>(
  answer: Answer & Readonly<Record<Name, readonly unknown[]>>,
  name: Name,
  { most, cursorAt }: { most: number; cursorAt(count: number): number | undefined },
): Answer & { next_cursor?: string } {
  const entries = answer[name];
  let room = most - jsonBytes({ ...answer, [name]: [], next_cursor: "000000000000000" });
  let count = 0;
  for (const entry of entries) {
    room -= jsonBytes(entry) + 1;
    if (room < 0) break;
    count += 1;
  }
  if (count === 0 && entries.length > 0) throw tooManyBytes(most - room);
  const cursor = cursorAt(count);
  return {
    ...answer,
    [name]: entries.slice(0, count),
    ...(cursor !== undefined && { next_cursor: String(cursor) }),
  };
}

/** Cursors of a list that is read by offset: the next place, if the list has `total` entries. */
export function offsetCursor(start: number, total: number) {
  return {
    cursorAt: (count: number) => (count > 0 && start + count < total ? start + count : undefined),
  };
}

/** Returns an answer that cannot be cut. Throws if it is larger than asked for. */
export function fitWhole<Answer extends object>(answer: Answer, most = TOOL_ANSWER_BYTES.max): Answer {
  const bytes = jsonBytes(answer);
  if (bytes > most) throw tooManyBytes(bytes);
  return answer;
}

function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}

function tooManyBytes(bytes: number): ToolFailure {
  const next =
    bytes <= TOOL_ANSWER_BYTES.max
      ? `Call again with max_bytes of ${bytes} or more, or ask for fewer parts.`
      : "Ask for fewer parts, or read it at its address in the catalog.";
  return new ToolFailure(413, `The answer has ${bytes} bytes`, next);
}

/** Input that names a record by key, number or address. */
export function recordName(what: string) {
  return z.string().min(1).max(300).describe(what);
}

/** Returns the objects of a list, each with its key. */
export function keyedObjects(list: Json | undefined): ({ key: string } & CatalogRecord)[] {
  return objectsOf(list).map((entry) => Object.assign({ key: keyOf(entry) ?? "" }, entry));
}

type Kind = "work" | "edition" | "author";

/** Returns the key of a record that the model names. Throws 400 for what is no record of these kinds. */
export function requireKey(text: string, kinds: readonly Kind[], { prefix }: RouteCaller): string {
  const key = keyOfAddress(text, prefix);
  const kind = key === undefined ? undefined : parseOlid(lastSegmentOf(key), prefix)?.kind;
  if (key !== undefined && kinds.some((name) => name === kind)) return key;
  const examples = kinds.map((name) => makeNumberedKey(name, 1, prefix)).join(" or ");
  throw new ToolFailure(400, `${text} names no such record: use a key such as ${examples}`);
}
