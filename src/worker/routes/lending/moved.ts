import { seeOther } from "../../accounts/private.ts";
import { type AnyOperation, operation } from "../../operation.ts";

/** `GET /borrow`: books that can be borrowed (lookup.md 12.5). */
export const borrowShelf = moved("borrowShelf", "/subjects/in_library#ebooks=true");
/** `GET /borrow.json` */
export const borrowShelfJson = moved("borrowShelfJson", "/subjects/in_library.json");
/** `GET /read`: books that everybody can read. */
export const readShelf = moved("readShelf", "/subjects/accessible_book#ebooks=true");
/** `GET /read.json` */
export const readShelfJson = moved("readShelfJson", "/subjects/accessible_book.json");

/** Leads to a subject of books that can be read; the query is kept where it means something. */
function moved(id: string, target: string): AnyOperation {
  const summary = "A subject whose books can be read";
  return operation({
    id,
    summary,
    tag: "lending",
    responses: { 303: { description: "The subject" } },
    handle: (_input, { url }) => seeOther(target.endsWith(".json") ? target + url.search : target),
  });
}
