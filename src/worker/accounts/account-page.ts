import { wantsHtml } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { type Page, page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";

/** A page about an account: kept by nobody, and nothing of its address goes anywhere. */
export function accountPage(what: Page): Reply {
  const headers = { "Referrer-Policy": "same-origin", ...what.headers };
  return page({ ...what, cacheControl: PRIVATE, headers });
}

/** One thing that is said, and where to go on. */
export interface Message {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
  readonly status?: number;
}

/** The link of messages about settings. */
export const TO_ACCOUNT = { href: "/account", text: "Your account" };

/** What somebody reads whose link out of a mail is not good any more. */
export const BAD_LINK = {
  title: "This link does not work",
  text: "It was used already, or is too old, or there is a newer one.",
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

/** After something was done: people are led back, programs get `{"ok": "true"}` and what there is to say. */
export async function answerDone(
  context: RequestContext,
  back: string,
  work: () => Promise<object | undefined | void>,
): Promise<Reply> {
  if (!isForPeople(context)) return privateJson({ ok: "true", ...(await work()) });
  try {
    await work();
    return seeOther(back);
  } catch (error) {
    return problemPage(error, back);
  }
}

/** Why something could not be done, for people; throws what is not to be told so. */
export function problemPage(error: unknown, back: string): Reply {
  const isProblem = error instanceof CarrelError && [400, 403, 404, 409].includes(error.status);
  if (!isProblem) throw error;
  const { message: text, status } = error;
  return messagePage({ title: "That was not done", text, status, link: { href: back, text: "Back" } });
}
