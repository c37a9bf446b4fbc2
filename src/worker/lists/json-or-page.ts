import type { RequestContext } from "../context.ts";
import type { Reply } from "../reply.ts";
import { wantsHtml } from "../wants-html.ts";
import { listPage } from "./list-page.ts";

/** The JSON answer; people who ask without a suffix get the page of the list, which shows the same. */
export function jsonOrListPage(
  key: string,
  context: RequestContext,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  const isPage = !context.url.pathname.endsWith(".json") && wantsHtml(context.request);
  return isPage ? listPage(key, undefined, context) : reply();
}
