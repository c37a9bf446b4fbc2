import type { Reader } from "../http/pages/reader.ts";
import { type Markup, markup } from "./markup.ts";
import { link } from "./parts.ts";
import { say } from "./words.ts";

/** Pages to which nobody is led back after a login. */
const APART = /^\/(?:account\/(?:login|create|verify|logout)|$)/;

/** Who is logged in, and what is his; or where to log in, which leads back to the page. */
export function accountMenu({ username, here }: Reader): Markup {
  if (username === undefined) {
    const back = APART.test(here) ? "" : `?redirect=${encodeURIComponent(here)}`;
    return link(`/account/login${back}`, say("account.log_in"));
  }
  return markup`<details class="account"><summary><b dir="auto">${username}</b></summary>
<ul><li>${link("/account", say("account.settings"))}</li>
<li>${link(`/people/${encodeURIComponent(username)}`, say("account.profile"))}</li>
<li>${link("/account/loans", say("account.loans"))}</li>
<li><form method="post" action="/account/logout"><button>${say("account.log_out")}</button></form></li></ul></details>`;
}
