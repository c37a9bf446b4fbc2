import { failureText } from "./failure-text.ts";
import { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { isForPeople } from "../http/accept.ts";
import { type Reply, PRIVATE, privateJson, seeOther } from "../http/reply.ts";
import { type Page, page } from "./layout.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { notify } from "./notice.ts";
import { type Words, t } from "./words.ts";

/** Renders a page about an account, which caches must not store. */
export function accountPage(content: Page): Reply {
  return page({ ...content, cacheControl: PRIVATE });
}

export interface Message {
  readonly title: Piece;
  readonly text: Piece;
  readonly link?: { readonly href: string; readonly text: Piece };
  readonly status?: number;
}

export function messagePage({ title, text, link, status = 200 }: Message): Reply {
  const body = markup`<p>${text}</p>${link !== undefined && markup`<p><a href="${link.href}">${link.text}</a></p>`}`;
  return accountPage({ title, status, body });
}

/**
 * Runs an action. Programs get `{"ok": "true"}` with the members that the action returns. People are redirected to `to`
 * with a notice; if the action fails, they get the form `again` with the reason, or a page with the reason.
 */
export async function answerDone(
  context: RequestContext,
  { to, words = "desk.done", again }: { to: string; words?: Words; again?: (problem: Markup) => Reply },
  work: () => Promise<object | undefined | void>,
): Promise<Reply> {
  if (!isForPeople(context)) return privateJson({ ok: "true", ...(await work()) });
  try {
    await work();
  } catch (error) {
    if (again === undefined) return problemPage(error, to);
    const problem = problemOf(error);
    return { ...again(failureText(problem)), status: problem.status };
  }
  notify(context, words);
  return seeOther(to);
}

/** Renders the reason of a failure for people; rethrows errors that are not meant for them. */
function problemPage(error: unknown, back: string): Reply {
  const problem = problemOf(error);
  return messagePage({
    title: t("desk.not_done"),
    text: failureText(problem),
    status: problem.status,
    link: { href: back, text: t("desk.back") },
  });
}

function problemOf(error: unknown): Failure {
  if (error instanceof Failure && [400, 403, 404, 409].includes(error.status)) return error;
  throw error;
}
