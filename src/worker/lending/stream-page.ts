import type { Reply } from "../http/reply.ts";
import type { ItemFile } from "../platform/item-source.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { byteSize, t } from "../ui/words.ts";
import type { ReadingRight } from "./reader.ts";

export function streamPage(ocaid: string, right: ReadingRight, files: readonly ItemFile[]): Reply {
  const address = `/borrow/ia/${encodeURIComponent(ocaid)}`;
  if (right === "none") {
    const body = markup`<p>${t("stream.lent")}</p>
${borrowButton(address, "borrow", t("borrow.this"))}
${borrowButton(address, "join-waitinglist", t("borrow.join"))}`;
    return page({ title: t("forbidden.not_borrowed"), body, status: 403 });
  }
  const rows = files.map(({ name, size }) => [
    link(`/stream/${encodeURIComponent(ocaid)}/${encodeURIComponent(name)}`, name),
    byteSize(size),
  ]);
  const body =
    rows.length === 0
      ? markup`<p>${t("stream.no_files")}</p>`
      : table({ caption: t("stream.files"), columns: [t("stream.name"), t("stream.size")], rows });
  const returnButton = right === "loan" && borrowButton(address, "return", t("borrow.return_this"));
  return page({ title: t("stream.title", { scan: ocaid }), body: markup`${returnButton}${body}` });
}

function borrowButton(address: string, action: string, text: Piece): Markup {
  return markup`<form method="post" action="${address}"><input type="hidden" name="action" value="${action}">
<button type="submit">${text}</button></form>`;
}
