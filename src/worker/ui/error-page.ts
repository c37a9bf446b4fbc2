import type { CarrelError } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "./layout.ts";
import { type Markup, markup } from "./markup.ts";

/** What has happened, in a few words, by status. */
const TITLES: ReadonlyMap<number, string> = new Map([
  [400, "That did not work"],
  [401, "Please log in"],
  [403, "You may not do that"],
  [404, "Nothing here"],
  [405, "That cannot be done here"],
  [409, "Somebody else was faster"],
  [413, "That is too large"],
  [414, "That address is too long"],
  [415, "That form is not understood"],
  [422, "Something in the request is wrong"],
  [429, "Too many requests"],
  [503, "Not available at the moment"],
]);

/** An error for a person: what it is, and where to go on. Programs get the same as JSON. */
export function errorPage(error: CarrelError): Reply {
  const { status, headers } = error;
  const title = TITLES.get(status) ?? "Something went wrong on our side";
  const body = markup`${reasons(error)}
${status === 401 ? markup`<p><a href="/account/login">Log in</a></p>` : markup`<p><a href="/">To the start</a></p>`}`;
  return page({ title, body, status, headers });
}

function reasons({ body, message }: CarrelError): Markup {
  const failures = body?.["detail"] ?? body?.["errors"];
  if (!Array.isArray(failures)) return markup`<p>${sentence(message)}</p>`;
  return markup`<ul>${failures.map((failure) => markup`<li>${reason(failure)}</li>`)}</ul>`;
}

/** One of several failures: where it is, as far as that is known, and what. */
function reason(failure: unknown): string {
  if (typeof failure !== "object" || failure === null) return String(failure);
  const { loc, msg, message } = failure as { loc?: unknown; msg?: unknown; message?: unknown };
  const place = Array.isArray(loc) ? loc.slice(1).join(" ") : "";
  const text = String(msg ?? message ?? "");
  return place === "" ? text : `${place}: ${text}`;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
