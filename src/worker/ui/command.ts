import type * as z from "zod";
import { isForPeople } from "../http/accept.ts";
import { Failure } from "../http/failure.ts";
import {
  type AnyOperation,
  type Definition,
  type Input,
  type Parameters,
  type RequestContext,
  operation,
} from "../http/operation.ts";
import { type Reply, Redirect, privateJson, seeOther } from "../http/reply.ts";
import { isJson } from "../http/request-body.ts";
import type { Fields } from "../http/views.ts";
import { messagePage } from "./action-answer.ts";
import { failureText } from "./failure-text.ts";
import { notify } from "./notice.ts";
import { type Words, reason, t } from "./words.ts";

interface Command<I, Loaded, Result> {
  /** Returns true if a success is answered with a page. By default, people who have sent a form get one. */
  showsPage?(context: RequestContext): boolean;
  /** Reads data for `submit` and the views, or returns a redirect. If it throws, the form is not shown again. */
  load?(input: I, context: RequestContext): Promise<Loaded | Redirect> | Loaded | Redirect;
  /** Performs the action and returns the data of its views, or a redirect. Refuses by `failure`, and renders nothing. */
  submit(
    input: I & WithLoaded<Loaded>,
    context: RequestContext,
  ): Promise<Result | Redirect> | Result | Redirect;
  /** Answers a program. By default with the result as JSON, which caches must not store. */
  asJson?(result: Result, context: RequestContext): Promise<Reply> | Reply;
  /** Page to which a person is redirected, and the notice on it. */
  readonly done?: {
    readonly to: string | ((input: I & WithLoaded<Loaded>) => string);
    readonly notice: Words | ((input: I & WithLoaded<Loaded>) => Words);
  };
  /** Answers a person instead of `done`, unless it returns undefined. */
  page?(
    result: Result,
    input: I & WithLoaded<Loaded>,
    context: RequestContext,
  ): Promise<Reply> | Reply | undefined;
  /**
   * Shows the form of a refused request again, with what was typed, or redirects to it. The status is that of the refusal,
   * or 400 if something that the form names is missing. Throws refusals that the form cannot show.
   */
  again?(refusal: Failure, input: I & WithLoaded<Loaded>, context: RequestContext): Promise<Reply> | Reply;
  /** Returns the refusal in the shape that programs get, if it is not the usual one. */
  refusalAsJson?(refusal: Failure, input: I & WithLoaded<Loaded>): Failure;
}
type WithLoaded<Loaded> = { loaded: Loaded };

/**
 * Makes an operation that changes something, by a form or by JSON.
 *
 *     export const adminBlockSave = command({
 *       id: "adminBlockSave", …
 *       form: { ips: lines },
 *       submit: ({ form }, context) => saveBlockedAddresses(context, form.ips),
 *       done: { to: "/admin/block", notice: "admin.saved" },
 *       again: (refusal, { form }) => blockPage(form.ips, refusal),
 *     });
 */
export function command<
  Loaded,
  Result,
  P extends Parameters = {},
  Q extends Parameters = {},
  F extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>({
  load,
  submit,
  showsPage = isPerson,
  asJson = privateJson,
  done = { to: "/", notice: "desk.done" },
  page,
  again,
  refusalAsJson = (refusal) => refusal,
  ...fields
}: Fields<P, Q, F, J> & Command<Input<P, Q, F, J>, Loaded, Result>): AnyOperation {
  return operation<P, Q, F, J>({
    ...fields,
    async handle(sent, context) {
      const loaded = await load?.(sent, context);
      if (loaded instanceof Redirect) return loaded;
      // Without `load`, nothing reads it.
      const input = { ...sent, loaded: loaded as Loaded };
      const to = typeof done.to === "string" ? done.to : done.to(input);
      let result: Result | Redirect;
      try {
        result = await submit(input, context);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (!isPerson(context)) throw refusalAsJson(error, input);
        if (!isShownAgain(error)) throw error;
        const reply = again === undefined ? refusedPage(error, to) : await again(error, input, context);
        if (reply instanceof Redirect) return reply;
        const status = error.status === 404 && again !== undefined ? 400 : error.status;
        return { ...reply, status, headers: { ...reply.headers, ...error.headers } };
      }
      if (result instanceof Redirect) return result;
      if (!showsPage(context)) return asJson(result, context);
      const reply = await page?.(result, input, context);
      if (reply !== undefined) return reply;
      notify(context, typeof done.notice === "string" ? done.notice : done.notice(input));
      return seeOther(to);
    },
  } as Definition<P, Q, F, J>);
}

/** Returns true if a person has sent a form: programs send JSON, or do not ask for a page. */
export function isPerson(context: RequestContext): boolean {
  return isForPeople(context) && !isJson(context.request);
}

/** Returns true unless the person has to log in first, or the service has failed. */
function isShownAgain({ status }: Failure): boolean {
  return status !== 401 && (status < 500 || status === 503);
}

/** Renders the reason of a refusal, with a link to the page that the action leads to. */
function refusedPage(refusal: Failure, back: string): Reply {
  return messagePage({
    title: t("desk.not_done"),
    text:
      refusal.reasons.length === 0
        ? failureText(refusal)
        : refusal.reasons.map(({ text }) => [reason(text), " "]),
    link: { href: back, text: t("desk.back") },
  });
}
