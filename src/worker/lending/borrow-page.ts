import type { BorrowAction } from "../../catalog/lending/loan.ts";
import type { Reply } from "../http/reply.ts";
import { field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { providerName } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";

const SUBMITS: Readonly<Record<BorrowAction, Words>> = {
  borrow: "borrow.this",
  browse: "borrow.browse",
  read: "borrow.read",
  return: "borrow.return_this",
  "join-waitinglist": "borrow.join",
  "leave-waitinglist": "borrow.leave",
  locate: "borrow.locate",
};

/** Asks a person who followed a link to confirm the action. Its form redirects to the reader. */
export function confirmPage({
  action,
  redirect,
  autoReadAloud,
  here,
  readerUrl,
}: {
  action: BorrowAction;
  redirect: string;
  autoReadAloud: string | undefined;
  here: string;
  readerUrl: string;
}): Reply {
  const fields = Object.entries({ action, redirect, _autoReadAloud: autoReadAloud });
  const hidden = fields.map(
    ([name, value]) => value !== undefined && field({ name, label: "", type: "hidden", value }),
  );
  const submit = t(SUBMITS[action]);
  const body = markup`<p>${t("borrow.confirm")}</p>
<form method="post" action="${here}">${hidden}
<p><button type="submit">${submit}</button></p>
</form>`;
  return page({ title: t("borrow.question", { action: submit }), body, formsLeadTo: readerUrl });
}

const FORWARD_SECONDS = 5;

/** Renders a page that names another open-access provider and forwards to it. `url`: as serialized by `URL`. */
export function partnerPage(url: string, name: string): Reply {
  const body = markup`<p>${t("borrow.elsewhere", { place: link(url, providerName(name)) })}</p>
<p>${t("borrow.forward", { count: FORWARD_SECONDS })}</p>`;
  const headers = { Refresh: `${FORWARD_SECONDS}; url=${url}` };
  return page({ title: t("borrow.open_elsewhere"), body, headers });
}
