import type * as z from "zod";
import { isForPeople, wantsJson } from "./accept.ts";
import {
  type AnyOperation,
  type Definition,
  type Input,
  type Parameters,
  type RequestContext,
  operation,
} from "./operation.ts";
import { type Reply, Redirect, privateJson, varyByAccept } from "./reply.ts";

/** Operation without its handler, which is made of the views. */
export type Fields<
  P extends Parameters,
  Q extends Parameters,
  F extends Parameters,
  J extends z.ZodType,
> = Omit<Definition<P, Q, F, J>, "handle">;

interface Resource<I, Data> {
  /** Returns the data of both views, or a redirect. Refuses by `failure`, renders nothing, and does not look at `Accept`. */
  read(input: I, context: RequestContext): Promise<Data | Redirect> | Data | Redirect;
  /** Answers a program. By default with the data as JSON, which caches must not store. */
  asJson?(data: Data, context: RequestContext): Promise<Reply> | Reply;
  /** Answers a person, from `<noun>-page.ts`. */
  page(data: Data, input: I, context: RequestContext): Promise<Reply> | Reply;
  /** True if clients that name no type get the page: JSON needs `Accept: application/json`. */
  readonly isPageByDefault?: true;
}

/**
 * Makes an operation with two views of what it reads: a page for people, JSON for programs and at paths with `.json`.
 *
 *     export const adminPeople = resource({
 *       id: "adminPeople", …
 *       read: ({ query }, context) => listAccounts(context.stores.patrons, query),
 *       page: (accounts, { query }) => peoplePage(accounts, query),
 *     });
 */
export function resource<Data, P extends Parameters = {}, Q extends Parameters = {}>({
  read,
  asJson = privateJson,
  page,
  isPageByDefault,
  ...fields
}: Fields<P, Q, {}, z.ZodUndefined> & Resource<Input<P, Q, {}, z.ZodUndefined>, Data>): AnyOperation {
  return operation<P, Q>({
    ...fields,
    async handle(input, context) {
      const data = await read(input, context);
      if (data instanceof Redirect) return data;
      const { url, request } = context;
      const forPerson = isPageByDefault
        ? !url.pathname.endsWith(".json") && !wantsJson(request)
        : isForPeople(context);
      return forPerson ? page(data, input, context) : varyByAccept(await asJson(data, context));
    },
  } as Definition<P, Q, {}, z.ZodUndefined>);
}

interface TwoViews<I> {
  asJson(input: I, context: RequestContext): Promise<Reply> | Reply;
  asPage(input: I, context: RequestContext): Promise<Reply> | Reply;
}

/** Makes an operation whose page shows other data than its JSON, so that each view reads its own. */
export function twoViews<P extends Parameters = {}, Q extends Parameters = {}>({
  asJson,
  asPage,
  ...fields
}: Fields<P, Q, {}, z.ZodUndefined> & TwoViews<Input<P, Q, {}, z.ZodUndefined>>): AnyOperation {
  return operation<P, Q>({
    ...fields,
    handle: async (input, context) =>
      isForPeople(context) ? asPage(input, context) : varyByAccept(await asJson(input, context)),
  } as Definition<P, Q, {}, z.ZodUndefined>);
}
