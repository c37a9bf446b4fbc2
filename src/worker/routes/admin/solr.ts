import { operation } from "../../operation.ts";
import { solrPage } from "../../pages/admin/settings-pages.ts";

/** `GET /admin/solr`: the form for building search documents anew. */
export const adminSolr = operation({
  id: "adminSolr",
  summary: "Page for building search documents anew",
  tag: "administration",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle: () => solrPage(),
});
