import { type AnyOperation, operation } from "../http/operation.ts";
import { seeOther } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";

export const aboutBorrowing = operation({
  id: "aboutBorrowing",
  summary: "A page about borrowing",
  tag: "lending",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle() {
    const body = markup`<p>${say("borrowing.what")}</p>
<ul><li>${say("borrowing.how_long")}</li><li>${say("borrowing.how_many")}</li><li>${say("borrowing.waiting")}</li></ul>
<p>${link("/account/loans", say("loans.title"))}</p>`;
    return page({ title: say("loans.about"), body });
  },
});

export const borrowShelf = redirectTo("borrowShelf", "/subjects/in_library#ebooks=true");
export const borrowShelfJson = redirectTo("borrowShelfJson", "/subjects/in_library.json");
export const readShelf = redirectTo("readShelf", "/subjects/accessible_book#ebooks=true");
export const readShelfJson = redirectTo("readShelfJson", "/subjects/accessible_book.json");

/** Redirects to a subject of readable books; the query is kept for JSON targets only. */
function redirectTo(id: string, target: string): AnyOperation {
  const summary = "A subject whose books can be read";
  return operation({
    id,
    summary,
    tag: "lending",
    responses: { 303: { description: "The subject" } },
    handle: (_input, { url }) => seeOther(target.endsWith(".json") ? target + url.search : target),
  });
}
