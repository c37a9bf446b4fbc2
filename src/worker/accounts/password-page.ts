import { EMAIL_LENGTH_MAX } from "../../catalog/accounts.ts";
import type { Reply } from "../http/reply.ts";
import { type Field, form } from "../ui/form.ts";
import { accountPage, messagePage } from "./account-page.ts";
import { PASSWORD_LENGTH } from "./password-hash.ts";
import { type Problem, messageFor } from "./problems.ts";

/** Where somebody asks for a new password. */
export const FORGOT_PASSWORD = "/account/password/forgot";

const HINT = `At least ${PASSWORD_LENGTH.min} characters.`;

/** The page on which somebody changes his password. */
export function changePasswordPage(problems: readonly Problem[] = []): Reply {
  return formPage("Change your password", {
    action: "/account/password",
    submit: "Change password",
    problems,
    fields: [
      {
        name: "password",
        label: "Password until now",
        type: "password",
        required: true,
        autocomplete: "current-password",
      },
      {
        name: "new_password",
        label: "New password",
        type: "password",
        hint: `${HINT} You will be logged out everywhere else.`,
        required: true,
        autocomplete: "new-password",
      },
    ],
  });
}

/** The page on which somebody asks for a new password. */
export function forgotPasswordPage(email = "", problems: readonly Problem[] = []): Reply {
  return formPage("Forgot your password?", {
    action: "/account/password/forgot",
    submit: "Send me a link",
    problems,
    fields: [
      {
        name: "email",
        label: "E-mail address of your account",
        type: "email",
        value: email,
        required: true,
        autocomplete: "email",
        maxlength: EMAIL_LENGTH_MAX,
      },
    ],
  });
}

/** The page to which the link of the mail leads. */
export function resetPasswordPage(code: string, problems: readonly Problem[] = []): Reply {
  return formPage("Set a new password", {
    action: `/account/password/reset/${code}`,
    submit: "Set password",
    problems,
    fields: [
      {
        name: "password",
        label: "New password",
        type: "password",
        hint: HINT,
        required: true,
        autocomplete: "new-password",
      },
    ],
  });
}

/** The page on which somebody asks for another e-mail address. */
export function changeEmailPage(
  { now, email = "" }: { readonly now: string; readonly email?: string },
  problems: readonly Problem[] = [],
): Reply {
  return formPage("Change your e-mail address", {
    action: "/account/email",
    submit: "Change address",
    problems,
    fields: [
      {
        name: "email",
        label: "New e-mail address",
        type: "email",
        value: email,
        hint: `It is ${now} now. We send a link to the new address; it holds once you follow it.`,
        required: true,
        autocomplete: "email",
        maxlength: EMAIL_LENGTH_MAX,
      },
      {
        name: "password",
        label: "Password",
        type: "password",
        required: true,
        autocomplete: "current-password",
      },
    ],
  });
}

function formPage(
  title: string,
  what: {
    readonly action: string;
    readonly submit: string;
    readonly fields: readonly Field[];
    readonly problems: readonly Problem[];
  },
): Reply {
  const { action, submit, problems } = what;
  const fields = what.fields.map((field) => ({ ...field, error: messageFor(problems, field.name) }));
  return accountPage({
    title,
    body: form({ action, submit, fields }),
    status: problems.length === 0 ? 200 : 422,
  });
}

/** What somebody sees whose link is not good any more. */
export function badResetLink(): Reply {
  return messagePage({
    title: "This link does not work",
    text: "It was used already, or is too old, or there is a newer one.",
    link: { href: FORGOT_PASSWORD, text: "Ask for another one" },
    status: 404,
  });
}
