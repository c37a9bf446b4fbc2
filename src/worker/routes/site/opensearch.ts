import { element, xmlDocument } from "../../../catalog/rdf/xml.ts";
import { baseUrl } from "../../context.ts";
import { operation } from "../../operation.ts";
import { NAME } from "../../version.ts";

const TYPE = "application/opensearchdescription+xml";

/** `GET /opensearch.xml`: how browsers and other programs search here (OpenSearch 1.1). */
export const openSearch = operation({
  id: "openSearch",
  summary: "OpenSearch description: how browsers search here",
  tag: "service",
  responses: { 200: { description: "The description", contentType: TYPE } },
  handle: (_input, context) => ({
    status: 200,
    body: description(baseUrl(context)),
    contentType: `${TYPE}; charset=utf-8`,
    cacheControl: "public, max-age=86400",
  }),
});

function description(base: string): string {
  const search = (type: string, template: string) =>
    element("Url", [], { type, template: `${base}/${template}` });
  const icon = { width: "16", height: "16", type: "image/x-icon" };
  return xmlDocument(
    element(
      "OpenSearchDescription",
      [
        element("ShortName", NAME),
        element("Description", "Search the library catalog"),
        element("InputEncoding", "UTF-8"),
        element("Image", `${base}/static/favicon.ico`, icon),
        search("text/html", "search?q={searchTerms}"),
        search("application/json", "search.json?q={searchTerms}&page={startPage?}"),
      ],
      { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
    ),
  );
}
