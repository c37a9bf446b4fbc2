import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { failureText } from "../ui/failure-text.ts";
import { errorSummary, form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";
import { emailField, passwordField } from "./account-form.ts";
import { FORGOT_PASSWORD } from "./password.ts";

interface TypedLogin {
  /** Path to go to afterwards. */
  readonly target: string;
  readonly action: string;
  readonly username?: string | undefined;
  readonly remember?: string | undefined;
}

/** Renders the login form. `loggedIn`: name of the account that the reader is logged in with already. */
export function loginPage(
  { target, action, username, remember }: TypedLogin,
  { refusal, loggedIn }: { refusal?: Failure; loggedIn?: string | undefined },
): Reply {
  const body = markup`${refusal !== undefined && errorSummary([{ message: refusal.status === 422 ? t("bad_request.fields") : failureText(refusal) }])}
${loggedIn !== undefined && markup`<p>${t("accounts.is_logged_in", { name: loggedIn })}</p>`}
${form({
  action: "/account/login",
  fields: [
    {
      ...emailField({ label: t("accounts.email"), value: username }),
      name: "username",
      autocomplete: "username",
    },
    passwordField(),
    {
      name: "remember",
      label: t("accounts.remember"),
      type: "checkbox",
      checked: remember !== undefined,
    },
    { name: "redirect", label: "", type: "hidden", value: target },
    ...(action === "" ? [] : [{ name: "action", label: "", type: "hidden" as const, value: action }]),
  ],
  submit: t("account.log_in"),
})}
<p><a href="${FORGOT_PASSWORD}">${t("accounts.forgot")}</a></p>
<p>${t("accounts.no_account")} <a href="/account/create">${t("accounts.create")}</a></p>`;
  return accountPage({ title: t("account.log_in"), body });
}
