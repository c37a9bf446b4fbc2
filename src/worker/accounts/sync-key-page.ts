import { formatDatetime } from "../../catalog/datetime.ts";
import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { factList } from "../ui/facts.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { moment, t } from "../ui/words.ts";
import { confirmationField } from "./account-form.ts";

/** Renders the page of the key for e-readers. `time`: when it was made; `key`: the one just made, which is shown only now. */
export function syncKeyPage(
  server: string,
  { time, key, refusal }: { time: number | undefined; key?: string; refusal?: Failure },
): Reply {
  const facts = [
    [t("sync.key"), key === undefined ? undefined : markup`<code>${key}</code>`],
    [t("accounts.made"), time === undefined ? undefined : moment(formatDatetime(time))],
  ] as const;
  const body = markup`<p>${t("sync.lead", { address: markup`<code>${server}</code>` })}</p>
${key !== undefined && notice("good", t("sync.made"))}
${time === undefined ? markup`<p>${t("sync.none")}</p>` : factList(facts)}
${form({
  action: "/account/sync-key",
  fields: [confirmationField(refusal)],
  submit: t(time === undefined ? "sync.make" : "sync.make_other"),
  more: time !== undefined && markup`<p class="hint">${t("accounts.key_replaces")}</p>`,
})}
${time !== undefined && form({ action: "/account/sync-key/delete", fields: [], submit: t("sync.delete") })}`;
  return accountPage({ title: t("sync.title"), body });
}
