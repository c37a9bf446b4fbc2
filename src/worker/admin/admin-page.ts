import * as z from "zod";
import { accountPage } from "../accounts/account-page.ts";
import type { Reply } from "../http/reply.ts";
import type { Page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";

/** What all operations share by which administrators change something: they can do so in read-only mode, too. */
export const ADMIN_FORM = { tag: "administration", bodyBytes: 512 * 1024, inReadOnly: true } as const;

/** Nothing but that it was done. */
export const doneSchema = z.object({ ok: z.literal("true") });

/** A page for administrators: kept by nobody, with the way back to the others. */
export function adminPage({ body, ...what }: Page): Reply {
  return accountPage({
    ...what,
    body: markup`${body}
<p><a href="/admin">${say("admin.title")}</a></p>`,
  });
}
