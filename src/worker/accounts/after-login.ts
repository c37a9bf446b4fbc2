import * as z from "zod";
import { isForPeople } from "../http/accept.ts";
import { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { redirectTarget } from "../http/redirect-target.ts";
import { type Redirect, type Reply, seeOther } from "../http/reply.ts";
import { deletedCookie } from "../http/session.ts";
import { notify } from "../ui/notice.ts";
import { runPendingAction } from "./follow.ts";
import { type TypedLogin, loginPage } from "./login-page.ts";

const ACTION_LENGTH = 200;

/** Parameters that say what follows a login. */
export const NEXT_FIELDS = {
  redirect: z.string().optional().describe("Path on this site to go to afterwards"),
  redir_url: z.string().optional().describe("Alias of `redirect`"),
  action: z.string().max(ACTION_LENGTH).default("").describe("`follow:<username>`: patron to follow"),
};
type NextFields = Partial<z.output<z.ZodObject<typeof NEXT_FIELDS>>>;

function targetOf({ redirect, redir_url }: NextFields): string | undefined {
  return redirectTarget(redirect ?? redir_url ?? "/");
}

/** Returns what the login page shows and sends on. */
export function toLoginView(fields: NextFields & Pick<TypedLogin, "username" | "remember">): TypedLogin {
  const { action = "", username, remember } = fields;
  return { target: targetOf(fields) ?? "/", action, username, remember };
}

/** Runs the action that a login was for, and returns the redirect to the page that it was for. */
export async function leaveLogin(
  context: RequestContext,
  username: string,
  fields: NextFields,
): Promise<Redirect> {
  await runPendingAction(context, username, fields.action ?? "");
  const target = targetOf(fields);
  // Q152: the pending action is only forgotten if the redirect leads back to a page that can run it.
  if (target !== undefined) context.cookies.push(deletedCookie("pending_action", context));
  notify(context, "accounts.welcome");
  return seeOther(target ?? "/");
}

/** Runs a login that needs no form. People get the reason of its failure on the login page. */
export async function orLoginPage(
  context: RequestContext,
  view: TypedLogin,
  logIn: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await logIn();
  } catch (error) {
    if (!(error instanceof Failure) || !isForPeople(context)) throw error;
    const reply = loginPage(context.settings, view, { refusal: error });
    return { ...reply, status: error.status, headers: { ...reply.headers, ...error.headers } };
  }
}
