import { EMAIL_LENGTH_MAX } from "../../../catalog/accounts.ts";
import type { Reply } from "../../http/reply.ts";
import { errorSummary, form } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { accountPage } from "./account-page.ts";

/** The login, as it is shown at first or again. */
export interface LoginView {
  readonly redirect: string;
  /** What is to be done after it (people/pending-action.ts); empty for nothing. */
  readonly action?: string;
  readonly email?: string | undefined;
  readonly remember?: boolean;
  /** Why the last attempt failed. */
  readonly error?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who is logged in already. */
  readonly username?: string | undefined;
  /** Where passwords that were forgotten are replaced. */
  readonly forgot: string;
}

/** The page with the login form. */
export function loginPage(view: LoginView): Reply {
  const { redirect, action = "", email, remember, error, status, headers, username, forgot } = view;
  const body = markup`${error !== undefined && errorSummary([{ message: error }])}
${username !== undefined && markup`<p>You are logged in as ${username}.</p>`}
${form({
  action: "/account/login",
  fields: [
    {
      name: "username",
      label: "E-mail address",
      type: "email",
      value: email,
      required: true,
      autocomplete: "username",
      maxlength: EMAIL_LENGTH_MAX,
    },
    {
      name: "password",
      label: "Password",
      type: "password",
      required: true,
      autocomplete: "current-password",
    },
    {
      name: "remember",
      label: "Stay logged in on this computer",
      type: "checkbox",
      checked: remember === true,
    },
    { name: "redirect", label: "", type: "hidden", value: redirect },
    ...(action === "" ? [] : [{ name: "action", label: "", type: "hidden" as const, value: action }]),
  ],
  submit: "Log in",
})}
<p><a href="${forgot}">Forgot your password?</a></p>
<p>No account yet? <a href="/account/create">Create one</a></p>`;
  return accountPage({
    title: "Log in",
    body,
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
  });
}
