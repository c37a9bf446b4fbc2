import * as z from "zod";
import { ownError } from "../../errors.ts";
import type { RequestContext } from "../../context.ts";
import { type AnyOperation, operation } from "../../operation.ts";
import { NO_STORE, json, plain } from "../../reply.ts";

interface Hook<Q extends Record<string, z.ZodType>> {
  readonly name: string;
  readonly summary: string;
  readonly query: Q;
  run(query: { [name in keyof Q]: z.output<Q[name]> }, context: RequestContext): Promise<unknown>;
}

/**
 * A hook of the older read API (records.md 3.3): `{status: "ok", result}`, or `{status: "fail", message}`
 * with 200 as well.
 */
export function readHook<Q extends Record<string, z.ZodType>>({
  name,
  summary,
  query,
  run,
}: Hook<Q>): AnyOperation {
  return operation({
    id: `api_${name}`,
    summary,
    tag: "records",
    query: { ...query, text: z.string().optional().describe("`true`: as text/plain") },
    responses: {
      200: {
        description: "Result or failure",
        schema: z.object({
          status: z.enum(["ok", "fail"]),
          result: z.unknown().optional(),
          message: z.string().optional(),
        }),
        also: ["text/plain"],
      },
    },
    async handle({ query: values }, context) {
      // The values were produced by `query` and `text`.
      const outcome = await settled(() => run(values as { [key in keyof Q]: z.output<Q[key]> }, context));
      const more = { cacheControl: NO_STORE };
      return values["text" as keyof typeof values] === "true"
        ? plain(JSON.stringify(outcome), more)
        : json(outcome, more);
    },
  });
}

// Q39: a failure is 200 as well.
async function settled(run: () => Promise<unknown>) {
  try {
    return { status: "ok", result: await run() };
  } catch (error) {
    const own = ownError(error);
    if (own === undefined) throw error;
    return { status: "fail", message: own.code === "notfound" ? "notfound" : own.message };
  }
}
