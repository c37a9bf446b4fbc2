import { readShard } from "../../../db/indexing/index-state.ts";
import { type Sources, systemSources } from "../../http/bindings.ts";
import { type AnyOperation, type Route, operation } from "../../http/operation.ts";
import { json } from "../../http/reply.ts";
import type { Site } from "../../http/site.ts";
import { createServiceSite } from "../service-site.ts";
import { TERMS_PARAMETERS, getCores, getSchema, getSchemaPart, countTerms } from "./admin.ts";
import { engineCall } from "./call.ts";
import { exportAll } from "./export.ts";
import { runSolrQuery } from "./query.ts";
import { getDocuments, runSelect } from "./select.ts";
import { update, updateWithDocuments } from "./update.ts";
import { failure } from "../../http/failure.ts";

const ping = operation({
  id: "ping",
  summary: "ping",
  tag: "search engine",
  responses: {},
  inReadOnly: true,
  async handle(_input, { stores }) {
    const shard = await readShard(stores.search);
    return json({ responseHeader: { status: 0, QTime: 0 }, status: "OK", ...shard });
  },
});

const DOCUMENT_FORMS = ["json", "xml", "csv"];

/**
 * Creates the routes of a handler: below any name of a core, because there is one index (Q81), or none, and with a
 * slash or without.
 */
function handlerRoutes(name: string, methods: readonly Route["method"][], called: AnyOperation): Route[] {
  const paths = ["/solr", String.raw`/solr/{core:[\w.-]+}`].map((core) => `${core}/${name}`);
  return paths.flatMap((path) => [path, `${path}/`]).flatMap((path) => routesAt(path, methods, called));
}

function routesAt(path: string, methods: readonly Route["method"][], called: AnyOperation): Route[] {
  return methods.map((method) => ({ method, path, access: "public", load: async () => called, alias: true }));
}

const SEARCH_ENGINE_ROUTES: readonly Route[] = [
  routesAt("/", ["ALL"], ping),
  handlerRoutes("admin/ping", ["ALL"], ping),
  handlerRoutes("admin/cores", ["GET", "POST"], engineCall("cores", getCores)),
  handlerRoutes("select", ["GET", "POST"], engineCall("select", runSelect, { forms: DOCUMENT_FORMS })),
  handlerRoutes("get", ["GET", "POST"], engineCall("get", getDocuments, { forms: DOCUMENT_FORMS })),
  handlerRoutes("query", ["GET", "POST"], engineCall("query", runSolrQuery, { forms: DOCUMENT_FORMS })),
  handlerRoutes("export", ["GET", "POST"], engineCall("export", exportAll, { forms: ["json"] })),
  handlerRoutes(
    "terms",
    ["GET", "POST"],
    engineCall("terms", countTerms, { ownParameters: TERMS_PARAMETERS }),
  ),
  handlerRoutes("schema", ["GET"], engineCall("schema", getSchema)),
  handlerRoutes("schema/{part}", ["GET"], engineCall("schemaPart", getSchemaPart)),
  handlerRoutes("update", ["GET", "POST"], engineCall("update", update)),
  handlerRoutes("update/json", ["POST"], engineCall("updateJson", update)),
  handlerRoutes("update/json/docs", ["POST"], engineCall("updateDocuments", updateWithDocuments)),
].flat();

export function createSearchEngine(prefix: string, sources: Sources = systemSources): Site {
  return createServiceSite({
    routes: SEARCH_ENGINE_ROUTES,
    prefix,
    sources,
    middleware: [],
    // Errors in Solr's format, which clients of such engines read.
    errorBody({ status: code, code: name, message }) {
      const msg = code === 500 ? name : message;
      const metadata = ["error-class", "org.apache.solr.common.SolrException"];
      return { responseHeader: { status: code, QTime: 0 }, error: { metadata, msg, code } };
    },
    unknownPath: (pathname) => failure("not_found.solr_handler", { path: pathname }, { code: "refused" }),
    headers: () => ({}),
  });
}
