import type { Failure, Reason } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "./layout.ts";
import { failureText, statusText } from "./failure-text.ts";
import { type Markup, markup } from "./markup.ts";
import { link } from "./parts.ts";
import { reason, t } from "./words.ts";

export function errorPage(error: Failure): Reply {
  const { status, headers } = error;
  const body = markup`${reasons(error)}${retry(error)}
${
  status === 401
    ? markup`<p>${link("/account/login", t("account.log_in"))}</p>`
    : markup`<form role="search" aria-label="${t("error.search")}" action="/search" class="line"><label for="error-search">${t("layout.search_books")}</label>
<input id="error-search" name="q" type="search" maxlength="1000"> <button>${t("layout.search")}</button></form>
<p>${link("/", t("error.start"))}</p>`
}`;
  return page({ title: statusText(status), body, status, headers });
}

function reasons(error: Failure): Markup {
  const { reasons: entries } = error;
  if (entries.length === 0) return markup`<p>${failureText(error)}</p>`;
  return markup`<ul>${entries.map(entry)}</ul>`;
}

function entry({ field, text }: Reason): Markup {
  return markup`<li>${field !== "" && markup`<code>${field}</code>: `}${reason(text)}</li>`;
}

function retry({ headers }: Failure): Markup | undefined {
  const seconds = Number(headers["Retry-After"]);
  return seconds > 0 ? markup`<p>${t("failure.retry", { count: seconds })}</p>` : undefined;
}
