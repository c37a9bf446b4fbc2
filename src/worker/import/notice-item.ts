import type { LoadReply } from "../../import/load/decision.ts";
import type { Settings } from "../http/settings.ts";
import { logLine } from "../http/log.ts";

/** How long the service that keeps scans may take to hear of a book, in milliseconds. */
export const ITEM_NOTICE_MS = 5_000;

/** Tells who keeps a scan which edition and work it has become (import.md 15.6). A failure is logged only. */
export async function noticeItem(
  { ITEM_NOTICE_URL: url }: Pick<Settings, "ITEM_NOTICE_URL">,
  ocaid: string,
  { edition, work }: LoadReply,
): Promise<void> {
  if (url === "") return;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ocaid, edition: edition.key, work: work.key }),
      redirect: "manual",
      signal: AbortSignal.timeout(ITEM_NOTICE_MS),
    });
    await response.body?.cancel();
    if (!response.ok) logLine("error", "item-notice", { ocaid, status: response.status });
  } catch (error) {
    logLine("error", "item-notice", { ocaid, error: String(error) });
  }
}
