import { wantsHtml } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { type Page, page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { type Words, say } from "../ui/words.ts";

/** A page about an account, which no cache stores. */
export function accountPage(what: Page): Reply {
  return page({ ...what, cacheControl: PRIVATE });
}

/** One thing that is said, and where to go on. */
export interface Message {
  readonly title: Piece;
  readonly text: Piece;
  readonly link?: { readonly href: string; readonly text: Piece };
  readonly status?: number;
}

/** The link of messages about settings. */
export const TO_ACCOUNT = { href: "/account", text: say("accounts.yours") };

/** What somebody reads whose link out of a mail is not good any more. */
export const BAD_LINK = {
  title: say("accounts.bad_link"),
  text: say("accounts.bad_link_why"),
  status: 404,
};

/** A page that says one thing, and where to go on. */
export function messagePage({ title, text, link, status = 200 }: Message): Reply {
  return accountPage({
    title,
    status,
    body: markup`<p>${text}</p>${link !== undefined && markup`<p><a href="${link.href}">${link.text}</a></p>`}`,
  });
}

/** True for people: `.json` is for programs, and without it they say so by `Accept`. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** What was read, as JSON or as a page. */
export function pageOrJson<Value>(
  context: RequestContext,
  value: Value,
  pageOf: (value: Value) => Reply,
): Reply {
  if (isForPeople(context)) return pageOf(value);
  return { ...privateJson(value), headers: { Vary: "Accept" } };
}

/** What comes after something that was done. */
interface Done {
  /** Where people are led. */
  readonly to: string;
  /** What they are told there. */
  readonly words?: Words;
  /** The form with what was sent, and why it was not done. */
  readonly again?: (problem: Markup) => Reply;
}

/** After something was done: people are led back, programs get `{"ok": "true"}` and what there is to say. */
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

/** The form that was sent, with why nothing was done; throws what is not to be told so. */
function formAgain(error: unknown, again: (problem: Markup) => Reply): Reply {
  const { status, message } = problemOf(error);
  return { ...again(markup`<span lang="en">${message}</span>`), status };
}

/** Why something could not be done, for people; throws what is not to be told so. */
export function problemPage(error: unknown, back: string): Reply {
  const { status, message } = problemOf(error);
  const link = { href: back, text: say("desk.back") };
  return messagePage({
    title: say("desk.not_done"),
    text: markup`<span lang="en">${message}</span>`,
    status,
    link,
  });
}

function problemOf(error: unknown): CarrelError {
  if (error instanceof CarrelError && [400, 403, 404, 409].includes(error.status)) return error;
  throw error;
}
