import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import type { Settings } from "../http/settings.ts";
import { accountPage } from "../ui/action-answer.ts";
import { failureText } from "../ui/failure-text.ts";
import { type InputField, errorSummary, form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { link, paragraph } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { emailField, passwordField } from "./account-form.ts";
import { isLoginElsewhere, issuerName } from "./login-elsewhere.ts";
import { FORGOT_PASSWORD } from "./password.ts";

export interface TypedLogin {
  /** Path to go to afterwards. */
  readonly target: string;
  readonly action: string;
  readonly username?: string | undefined;
  readonly remember?: string | undefined;
}

interface LoginState {
  readonly refusal?: Failure;
  /** Name of the account that the reader is logged in with already. */
  readonly loggedIn?: string | undefined;
  /** Address at which a reader who has just logged out ends the session of the issuer. */
  readonly endSession?: string | undefined;
}

/** Renders the login form, the button that leads to the issuer, or the reason why the proxy has named no user. */
export function loginPage(
  settings: Settings,
  typed: TypedLogin,
  { refusal, loggedIn, endSession }: LoginState,
): Reply {
  const title = t("account.log_in");
  const reason = refusal && (refusal.status === 422 ? t("bad_request.fields") : failureText(refusal));
  const session =
    loggedIn === undefined ? undefined : paragraph(t("accounts.is_logged_in", { name: loggedIn }));
  if (!isLoginElsewhere(settings)) {
    const lead = [reason && errorSummary([{ message: reason }]), session];
    return accountPage({ title, body: [lead, passwordForm(typed)] });
  }
  const lead = [reason && notice("bad", reason), session];
  if (settings.IDENTITY_PROVIDER === "forward") return accountPage({ title, body: lead });
  const name = issuerName(settings);
  const body = markup`${lead}
${endSession !== undefined && paragraph(link(endSession, t("accounts.log_out_there", { name })))}
${form({ action: "/account/login/oidc", fields: nextFields(typed), submit: t("accounts.log_in_with", { name }) })}
<p class="hint">${t("accounts.log_in_with_hint", { name })}</p>`;
  // The issuer may send the browser on to other hosts before it shows a page.
  const formsLeadTo = URL.parse(settings.OIDC_ISSUER)?.protocol ?? "https:";
  return accountPage({ title, body, formsLeadTo });
}

function passwordForm(typed: TypedLogin) {
  return markup`${form({
    action: "/account/login",
    fields: [
      {
        ...emailField({ label: t("accounts.email"), value: typed.username }),
        name: "username",
        autocomplete: "username",
      },
      passwordField(),
      ...nextFields(typed),
    ],
    submit: t("account.log_in"),
  })}
<p><a href="${FORGOT_PASSWORD}">${t("accounts.forgot")}</a></p>
<p>${t("accounts.no_account")} <a href="/account/create">${t("accounts.create")}</a></p>`;
}

function nextFields({ target, action, remember }: TypedLogin): InputField[] {
  return [
    {
      name: "remember",
      label: t("accounts.remember"),
      type: "checkbox",
      checked: remember !== undefined,
    },
    { name: "redirect", label: "", type: "hidden", value: target },
    ...(action === "" ? [] : [{ name: "action", label: "", type: "hidden" as const, value: action }]),
  ];
}
