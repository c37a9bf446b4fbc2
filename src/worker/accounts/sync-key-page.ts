import { formatDatetime } from "../../catalog/datetime.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { moment, t } from "../ui/words.ts";
import { confirmation } from "./login-elsewhere.ts";

/** Renders the page of the key for e-readers. `time`: when it was made; `key`: the one just made, which is shown only now. */
export function syncKeyPage(
  { settings }: Pick<RequestContext, "settings">,
  server: string,
  { time, key, refusal }: { time: number | undefined; key?: string; refusal?: Failure },
): Reply {
  const { fields, more } = confirmation(settings, "/account/sync-key");
  const facts = [
    [t("sync.key"), key === undefined ? undefined : markup`<code>${key}</code>`],
    [t("accounts.made"), time === undefined ? undefined : moment(formatDatetime(time))],
  ] as const;
  const body = markup`<p>${t("sync.lead", { address: markup`<code>${server}</code>` })}</p>
${key !== undefined && notice("good", t("sync.made"))}
${time === undefined ? markup`<p>${t("sync.none")}</p>` : factList(facts)}
${form({
  action: "/account/sync-key",
  refusal,
  fields,
  submit: t(time === undefined ? "sync.make" : "sync.make_other"),
  more: [more, time !== undefined && markup`<p class="hint">${t("accounts.key_replaces")}</p>`],
})}
${time !== undefined && form({ action: "/account/sync-key/delete", fields: [], submit: t("sync.delete") })}`;
  return accountPage({ title: t("sync.title"), body });
}
