import * as z from "zod";
import { wantedTarget } from "../../accounts/login-form.ts";
import { redirectTarget } from "../../http/redirect-target.ts";
import { FORGOT_PASSWORD } from "../../accounts/paths.ts";
import { operation } from "../../http/operation.ts";
import { loginPage } from "../../pages/account/login-page.ts";

/** `GET /account/login`: the form. */
export const loginForm = operation({
  id: "loginPage",
  summary: "Page with the login form",
  tag: "account",
  query: {
    redirect: z.string().optional().describe("Path on this site to go to after the login"),
    redir_url: z.string().optional().describe("The same by another name"),
    action: z.string().default("").describe("`follow:<username>`: follow that patron after the login"),
  },
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle({ query }, context) {
    const session = await context.session();
    return loginPage({
      redirect: redirectTarget(wantedTarget(query)) ?? "/",
      action: query.action,
      username: session?.username,
      forgot: FORGOT_PASSWORD,
    });
  },
});
