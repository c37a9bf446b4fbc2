import { wantsHtml } from "../http/accept.ts";
import { CarrelError } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { messagePage } from "./account-page.ts";

/** True for people: `.json` is for programs, and without it they say so by `Accept`. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** What was read, as JSON or as a page. */
export function shown<Value>(context: RequestContext, value: Value, page: (value: Value) => Reply): Reply {
  if (isForPeople(context)) return page(value);
  return { ...privateJson(value), headers: { Vary: "Accept" } };
}

/** After something was done: people are led back, programs get `{"ok": "true"}` and what there is to say. */
export async function answerDone(
  context: RequestContext,
  back: string,
  work: () => Promise<object | undefined>,
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
  const page = messagePage({ title: "That was not done", text, status, link: { href: back, text: "Back" } });
  return { ...page, cacheControl: PRIVATE };
}
