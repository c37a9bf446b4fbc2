import { wantsHtml } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { failureWords } from "../ui/failure-words.ts";
import { type Page, page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { type Words, say } from "../ui/words.ts";

/** Renders a page about an account, which caches must not store. */
export function accountPage(what: Page): Reply {
  return page({ ...what, cacheControl: PRIVATE });
}

/** Message shown on a page of its own, with a link onwards. */
export interface Message {
  readonly title: Piece;
  readonly text: Piece;
  readonly link?: { readonly href: string; readonly text: Piece };
  readonly status?: number;
}

/** Link to the account page, for messages about settings. */
export const TO_ACCOUNT = { href: "/account", text: say("accounts.yours") };

/** Message for an emailed link that is no longer valid. */
export const BAD_LINK = {
  title: say("accounts.bad_link"),
  text: say("accounts.bad_link_why"),
  status: 404,
};

/** Renders a page with one message and a link onwards. */
export function messagePage({ title, text, link, status = 200 }: Message): Reply {
  return accountPage({
    title,
    status,
    body: markup`<p>${text}</p>${link !== undefined && markup`<p><a href="${link.href}">${link.text}</a></p>`}`,
  });
}

/** True if the response goes to a person: `.json` paths are for programs, other paths go by the `Accept` header. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** Returns a value as a page for people or as JSON for programs. */
export function pageOrJson<Value>(
  context: RequestContext,
  value: Value,
  pageOf: (value: Value) => Reply,
): Reply {
  if (isForPeople(context)) return pageOf(value);
  return { ...privateJson(value), headers: { Vary: "Accept" } };
}

/** Response to a completed action. */
interface Done {
  /** Address to which people are redirected. */
  readonly to: string;
  /** Notice shown there. */
  readonly words?: Words;
  /** Renders the form with the values that were sent and the reason of the failure. */
  readonly again?: (problem: Markup) => Reply;
}

/** Runs an action and redirects people; programs get `{"ok": "true"}` with the members that the action returns. */
export async function answerDone(
  context: RequestContext,
  { to, words = "desk.done", again }: Done,
  work: () => Promise<object | undefined | void>,
): Promise<Reply> {
  if (!isForPeople(context)) return privateJson({ ok: "true", ...(await work()) });
  try {
    await work();
    notify(context, words);
    return seeOther(to);
  } catch (error) {
    return again === undefined ? problemPage(error, to) : formAgain(error, again);
  }
}

/** Renders the submitted form with the reason of the failure; rethrows errors that are not meant for people. */
function formAgain(error: unknown, again: (problem: Markup) => Reply): Reply {
  const { status, message } = problemOf(error);
  return { ...again(failureWords(message)), status };
}

/** Renders the reason of a failure for people; rethrows errors that are not meant for them. */
export function problemPage(error: unknown, back: string): Reply {
  const { status, message } = problemOf(error);
  const link = { href: back, text: say("desk.back") };
  return messagePage({
    title: say("desk.not_done"),
    text: failureWords(message),
    status,
    link,
  });
}

function problemOf(error: unknown): CarrelError {
  if (error instanceof CarrelError && [400, 403, 404, 409].includes(error.status)) return error;
  throw error;
}
