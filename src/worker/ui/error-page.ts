import type { CarrelError } from "../http/errors.ts";
import type { Reason } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "./layout.ts";
import { failureWords } from "./failure-words.ts";
import { type Markup, markup } from "./markup.ts";
import { link } from "./parts.ts";
import { type Words, reason, t } from "./words.ts";

const TITLES: ReadonlyMap<number, Words> = new Map([
  [400, "error.400"],
  [401, "error.401"],
  [403, "error.403"],
  [404, "error.404"],
  [405, "error.405"],
  [409, "error.409"],
  [413, "error.413"],
  [414, "error.414"],
  [415, "error.415"],
  [422, "error.422"],
  [429, "error.429"],
  [503, "error.503"],
]);

export function errorPage(error: CarrelError): Reply {
  const { status, headers } = error;
  const body = markup`${reasons(error)}${retry(error)}
${
  status === 401
    ? markup`<p>${link("/account/login", t("account.log_in"))}</p>`
    : markup`<form role="search" aria-label="${t("error.search")}" action="/search" class="line"><label for="error-search">${t("layout.search_books")}</label>
<input id="error-search" name="q" type="search" maxlength="1000"> <button>${t("layout.search")}</button></form>
<p>${link("/", t("error.start"))}</p>`
}`;
  return page({ title: t(TITLES.get(status) ?? "error.500"), body, status, headers });
}

function reasons({ body, message, text, reasons: entries }: CarrelError): Markup {
  if (entries.length > 0) return markup`<ul>${entries.map(entry)}</ul>`;
  if (text !== undefined) return markup`<p>${reason(text)}</p>`;
  const key = body?.["error"] === "notfound" && body["key"];
  if (typeof key === "string")
    return markup`<p>${t("not_found.record", { key: markup`<bdi>${key}</bdi>` })}</p>`;
  const failures = body?.["detail"] ?? body?.["errors"];
  if (!Array.isArray(failures)) return markup`<p>${failureWords(message)}</p>`;
  return markup`<ul>${failures.map((failure) => markup`<li>${untranslated(failure)}</li>`)}</ul>`;
}

function entry({ field, text }: Reason): Markup {
  return markup`<li>${field !== "" && markup`<code>${field}</code>: `}${reason(text)}</li>`;
}

function untranslated(failure: unknown): Markup {
  if (typeof failure !== "object" || failure === null) return failureWords(String(failure));
  const { loc, msg, message } = failure as { loc?: unknown; msg?: unknown; message?: unknown };
  const field = Array.isArray(loc) ? loc.slice(1).join(" ") : "";
  const text = failureWords(String(msg ?? message ?? "").replace(/^Value error, /, ""));
  return field === "" ? text : markup`<code>${field}</code>: ${text}`;
}

function retry({ headers }: CarrelError): Markup | undefined {
  const seconds = Number(headers["Retry-After"]);
  return seconds > 0 ? markup`<p>${t("failure.retry", { count: seconds })}</p>` : undefined;
}
