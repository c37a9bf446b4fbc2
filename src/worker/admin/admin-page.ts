import { KIB } from "../../catalog/units.ts";
import * as z from "zod";
import { accountPage } from "../ui/action-answer.ts";
import type { Reply } from "../http/reply.ts";
import type { Page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";

/** Options of all operations by which administrators change something. They work in read-only mode, too. */
export const ADMIN_FORM = { tag: "administration", bodyBytes: 512 * KIB, inReadOnly: true } as const;

export const doneSchema = z.object({ ok: z.literal("true") });

/** Renders a page for administrators, which caches must not store, with a link to the overview. */
export function adminPage({ body, ...options }: Page): Reply {
  return accountPage({
    ...options,
    body: markup`${body}
<p><a href="/admin">${t("admin.title")}</a></p>`,
  });
}
