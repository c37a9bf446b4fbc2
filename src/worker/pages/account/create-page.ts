import { EMAIL_LENGTH_MAX, USERNAME_LENGTH } from "../../../catalog/accounts.ts";
import { PASSWORD_LENGTH } from "../../accounts/password.ts";
import { type Problem, messageFor } from "../../accounts/problems.ts";
import type { Reply } from "../../http/reply.ts";
import { form } from "../../ui/form.ts";
import { markup } from "../../ui/markup.ts";
import { accountPage } from "./account-page.ts";

/** What was filled in, except for the password. */
export interface CreateView {
  readonly email?: string;
  readonly username?: string;
  readonly newsletters?: boolean;
  readonly problems?: readonly Problem[];
}

/** The page with the registration form. */
export function createPage({ email, username, newsletters, problems = [] }: CreateView = {}): Reply {
  const body = markup`${form({
    action: "/account/create",
    fields: [
      {
        name: "email",
        label: "E-mail address",
        type: "email",
        value: email,
        error: messageFor(problems, "email"),
        required: true,
        autocomplete: "email",
        maxlength: EMAIL_LENGTH_MAX,
      },
      {
        name: "username",
        label: "Username",
        value: username,
        hint: `${USERNAME_LENGTH.min} to ${USERNAME_LENGTH.max} letters, digits, hyphens or underscores. Everybody can see it.`,
        error: messageFor(problems, "username"),
        required: true,
        autocomplete: "username",
        maxlength: USERNAME_LENGTH.max,
      },
      {
        name: "password",
        label: "Password",
        type: "password",
        hint: `At least ${PASSWORD_LENGTH.min} characters.`,
        error: messageFor(problems, "password"),
        required: true,
        autocomplete: "new-password",
      },
      {
        name: "ia_newsletter",
        label: "Send me news now and then",
        type: "checkbox",
        checked: newsletters === true,
      },
    ],
    submit: "Create account",
  })}
<p>You have an account? <a href="/account/login">Log in</a></p>`;
  return accountPage({ title: "Create an account", body, status: problems.length === 0 ? 200 : 422 });
}
