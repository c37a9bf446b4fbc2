import type { ItemFile } from "../../lending/item-files.ts";
import type { ReadingRight } from "../../lending/reading-right.ts";
import type { Reply } from "../../reply.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, table } from "../parts.ts";

/** What the reader shows of a scan. */
export interface StreamPage {
  readonly ocaid: string;
  readonly right: ReadingRight;
  readonly files: readonly ItemFile[];
}

const BYTES_OF_KILOBYTE = 1000;

/** The page of a scan in the reader. */
export function streamPage({ ocaid, right, files }: StreamPage): Reply {
  if (right === "none") {
    return page({ title: "This book is not lent to you", body: borrowHint(ocaid), status: 403 });
  }
  const rows = files.map(({ name, size }) => [
    link(`/stream/${encodeURIComponent(ocaid)}/${encodeURIComponent(name)}`, name),
    `${Math.ceil(size / BYTES_OF_KILOBYTE)} kB`,
  ]);
  const body =
    rows.length === 0
      ? markup`<p>There are no files of this book here.</p>`
      : table({ caption: "Files", columns: ["Name", "Size"], rows });
  return page({ title: `Reading ${ocaid}`, body: markup`${right === "loan" && returnForm(ocaid)}${body}` });
}

function borrowHint(ocaid: string): Markup {
  const address = `/borrow/ia/${encodeURIComponent(ocaid)}`;
  return markup`<p>Books like this are lent, to one reader a copy.</p>
${button(address, "borrow", "Borrow this book")}
${button(address, "join-waitinglist", "Join the waiting list")}`;
}

function returnForm(ocaid: string): Markup {
  return button(`/borrow/ia/${encodeURIComponent(ocaid)}`, "return", "Return this book");
}

function button(address: string, action: string, text: string): Markup {
  return markup`<form method="post" action="${address}"><input type="hidden" name="action" value="${action}">
<button type="submit">${text}</button></form>`;
}
