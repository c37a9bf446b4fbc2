import { element, renderXmlDocument } from "../../catalog/xml.ts";
import { OPDS_REL, OPDS_TYPES, type NavigationEntry } from "../../export/opds/feed.ts";
import { operation } from "../http/operation.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { readSubjectIndex } from "../search/subject-index.ts";
import { FEED, ORDERS } from "./books.ts";
import { OPDS_ERRORS, makeFeedReply, opdsFileUrlOf, opdsUrlOf } from "./feeds.ts";

const MINUTE = "public, max-age=60";

const SORT_RELS: Readonly<Record<string, string>> = {
  new: `${OPDS_REL}sort/new`,
  trending: `${OPDS_REL}sort/popular`,
};

export const opdsRoot = operation({
  id: "opdsRoot",
  summary: "Get the start of the catalog (OPDS 1.2 and 2.0)",
  tag: "search",
  responses: { ...OPDS_ERRORS, 200: FEED },
  async handle(_input, context) {
    const orders = ORDERS.map(([title, sort]): NavigationEntry => {
      const href = opdsUrlOf(context, "/books", [["sort", sort]]);
      return { title, href, kind: "acquisition", summary: "Books to read", rel: SORT_RELS[sort] };
    });
    const open = opdsUrlOf(context, "/books", [
      ["sort", "editions"],
      ["access", "open"],
    ]);
    const navigation: NavigationEntry[] = [
      ...orders,
      { title: "Open to all", href: open, kind: "acquisition", summary: "Books to read without borrowing" },
      {
        title: "Subjects",
        href: opdsUrlOf(context, "/subjects"),
        kind: "navigation",
        summary: "Most frequent subjects",
      },
      {
        title: "My books",
        href: opdsUrlOf(context, "/shelves"),
        kind: "navigation",
        summary: "Loans and shelves; requires login",
      },
    ];
    return makeFeedReply(
      {
        title: (await context.site()).name,
        kind: "navigation",
        self: opdsUrlOf(context, ""),
        navigation,
        cacheControl: MINUTE,
      },
      context,
    );
  },
});

export const opdsSubjects = operation({
  id: "opdsSubjects",
  summary: "List the most frequent subjects (OPDS)",
  tag: "search",
  responses: { ...OPDS_ERRORS, 200: FEED },
  async handle(_input, context) {
    const { lists } = await readSubjectIndex(context);
    const navigation = lists.subjects.map(({ name }): NavigationEntry => {
      const href = opdsUrlOf(context, "/books", [["subject_facet", name]]);
      return { title: name, href, kind: "acquisition" };
    });
    const cacheControl = searchCacheControl(context);
    const self = opdsUrlOf(context, "/subjects");
    const links = [{ rel: "up", href: opdsUrlOf(context, ""), type: OPDS_TYPES.navigation }];
    return makeFeedReply(
      { title: "Subjects", kind: "navigation", self, links, navigation, cacheControl },
      context,
    );
  },
});

export const opdsSearch = operation({
  id: "opdsSearch",
  summary: "Get the OpenSearch description (OPDS)",
  tag: "search",
  responses: {
    ...OPDS_ERRORS,
    200: { description: "OpenSearch description", contentType: OPDS_TYPES.search },
  },
  async handle(_input, context) {
    const template = `${opdsFileUrlOf(context, "books")}?q={searchTerms}&page={startPage?}`;
    const children = [
      element("ShortName", (await context.site()).name),
      element("Description", "Books that can be read or borrowed"),
      element("InputEncoding", "UTF-8"),
      element("OutputEncoding", "UTF-8"),
      element("Url", [], { type: OPDS_TYPES.acquisition, template }),
    ];
    const root = element("OpenSearchDescription", children, {
      xmlns: "http://a9.com/-/spec/opensearch/1.1/",
    });
    const contentType = `${OPDS_TYPES.search};charset=utf-8`;
    return { status: 200, body: renderXmlDocument(root), contentType, cacheControl: MINUTE };
  },
});
