import type { RequestContext } from "../context.ts";
import type { AnyOperation } from "../operation.ts";
import type { Reply } from "../reply.ts";
import { checkInput, inputSchemas } from "../validation/input.ts";

/** Answers programs at the address of a page. */
export type ProgramAnswer = (
  context: RequestContext,
  path?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Answers a page's address as `program` does, the operation at the same address with `.json` (Q440). */
export function programAnswer(program: AnyOperation): ProgramAnswer {
  const schemas = inputSchemas(program);
  return async (context, path = {}) => {
    const received = { path, query: context.url.searchParams, body: { kind: "none" } } as const;
    const reply = await program.handle(checkInput(schemas, received), context);
    const { Vary: varied } = reply.headers ?? {};
    return {
      ...reply,
      headers: { ...reply.headers, Vary: varied === undefined ? "Accept" : `Accept, ${varied}` },
    };
  };
}
