import * as z from "zod";
import { PROGRAMME, setProgrammeCookie } from "../../accounts/login-cookies.ts";
import { ACCOUNT_BODY_BYTES } from "../../accounts/login-form.ts";
import { privateJson } from "../../http/reply.ts";
import { problemsFound } from "../../accounts/problems.ts";
import { register } from "../../accounts/registration.ts";
import { operation } from "../../http/operation.ts";
import { messagePage } from "../../pages/account/account-page.ts";
import { createPage } from "../../pages/account/create-page.ts";
import { boolean } from "../../http/parameters.ts";
import { isJson } from "../../http/request-body.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `POST /account/create`: a registration, to be confirmed by a link in a mail. */
export const createAccount = operation({
  id: "createAccount",
  summary: "Register",
  tag: "account",
  form: {
    email: z.string().default(""),
    username: z.string().default(""),
    password: z.string().default(""),
    ia_newsletter: boolean().default(false).describe("Send news now and then"),
    pd_request: boolean().default(false).describe("Ask for access for the print-disabled"),
    pd_program: z.string().default("").describe("Programme that can vouch for it"),
  },
  bodyBytes: ACCOUNT_BODY_BYTES,
  responses: {
    200: {
      description: "A mail with a link is on its way",
      schema: z.object({ status: z.literal("verify"), email: z.string() }),
      also: ["text/html"],
    },
    503: { description: "Nobody can register here" },
  },
  async handle({ form }, context) {
    const { email, username, password, ia_newsletter: newsletters } = form;
    const isPerson = wantsHtml(context.request) && !isJson(context.request);
    const problems = await register(context, { email, username, password, newsletters });
    if (problems.length > 0) {
      if (isPerson) return createPage({ email, username, newsletters, problems });
      throw problemsFound(problems);
    }
    if (form.pd_request && PROGRAMME.test(form.pd_program)) setProgrammeCookie(context, form.pd_program);
    const address = email.trim();
    if (!isPerson) return privateJson({ status: "verify", email: address });
    return messagePage({
      title: "Please check your mail",
      text: `We have sent a link to ${address}. Your account is ready once you follow it.`,
    });
  },
});
