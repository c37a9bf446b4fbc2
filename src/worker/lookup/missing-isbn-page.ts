import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup, shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";

/** Tells people that no edition has an ISBN, and what they can do. `valid` is undefined if it is not an ISBN. */
export function missingIsbnPage(text: string, valid: string | undefined): Reply {
  const query = shortText(text);
  return page({
    title: t(valid === undefined ? "isbn.none" : "isbn.unknown"),
    q: query,
    status: 404,
    body: markup`<p>${t(valid === undefined ? "isbn.wrong" : "isbn.missing", { isbn: markup`<bdi>${query}</bdi>` })}</p>
<ul>${valid !== undefined && markup`<li>${link(`/books/add?${new URLSearchParams({ isbn: valid })}`, t("isbn.add"))}</li>`}
<li>${link(`/search?${new URLSearchParams({ q: query })}`, t("isbn.search"))}</li>
<li>${link("/barcodescanner", t("home.barcode"))}</li></ul>`,
  });
}
