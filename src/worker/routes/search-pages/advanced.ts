import { operation } from "../../operation.ts";
import { advancedPage } from "../../pages/search/advanced-page.ts";

/** `GET /advancedsearch`: a form that leads to `/search`. */
export const advancedSearch = operation({
  id: "advancedSearch",
  summary: "A form for searching works by title, author, subject and more",
  tag: "search",
  responses: { 200: { description: "The form", contentType: "text/html" } },
  handle: () => advancedPage(),
});
