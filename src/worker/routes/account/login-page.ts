import * as z from "zod";
import { redirectTarget } from "../../accounts/redirect-target.ts";
import { FORGOT_PASSWORD } from "../../accounts/paths.ts";
import { operation } from "../../operation.ts";
import { loginPage } from "../../pages/account/login-page.ts";

/** `GET /account/login`: the form. */
export const loginForm = operation({
  id: "loginPage",
  summary: "Page with the login form",
  tag: "account",
  query: { redirect: z.string().default("/").describe("Path on this site to go to after the login") },
  responses: { 200: { description: "The page", contentType: "text/html" } },
  async handle({ query: { redirect } }, context) {
    const session = await context.session();
    return loginPage({
      redirect: redirectTarget(redirect) ?? "/",
      username: session?.username,
      forgot: FORGOT_PASSWORD,
    });
  },
});
