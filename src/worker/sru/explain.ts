import { type XmlElement, element } from "../../catalog/xml.ts";
import { type CqlIndex, CONTEXT_SETS, INDEXES, indexOf } from "../../search/cql/cql-indexes.ts";
import type { Diagnostic } from "../../search/cql/diagnostic.ts";
import { indexName } from "../../search/cql/cql-parser.ts";
import { ownIndexNames } from "../../search/cql/cql-search.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type SruParameters, VERSIONS, isEscaped, versionOf } from "./parameters.ts";
import { diagnosticsElement, recordElement, sruReply } from "./protocol.ts";
import { SRU_RECORDS } from "./retrieve.ts";
import { SCAN_TERMS } from "./scan.ts";
import { RECORD_SCHEMAS } from "./schemas.ts";

const ZEEREX = "http://explain.z3950.org/dtd/2.0/";
const NAME = "Carrel";

/** `explain`: what can be asked here, as ZeeRex has it. Throws a `Diagnostic`. */
export function explain(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Reply {
  const version = versionOf(parameters);
  const record = { schema: ZEEREX, data: described(context) };
  const parts = [
    recordElement(record, { version, isText: isEscaped(parameters) }),
    ...diagnosticsElement(warnings, version),
  ];
  return sruReply("explainResponse", { version, parts }, { cacheControl: "public, max-age=3600" });
}

function described(context: RequestContext): XmlElement {
  const { hostname, port, protocol, pathname } = new URL(`${baseUrl(context)}/sru`);
  const usualPort = protocol === "https:" ? "443" : "80";
  return element(
    "explain",
    [
      element(
        "serverInfo",
        [
          element("host", hostname),
          element("port", port === "" ? usualPort : port),
          element("database", pathname.slice(1)),
        ],
        {
          protocol: "SRU",
          version: VERSIONS.at(-1) ?? "",
          transport: protocol.slice(0, -1),
          method: "GET POST",
        },
      ),
      element("databaseInfo", [
        element("title", NAME, { lang: "en", primary: "true" }),
        element("description", "Works of the catalog", { lang: "en", primary: "true" }),
      ]),
      element("indexInfo", [...sets(), ...indexes()]),
      element("schemaInfo", schemas()),
      element("configInfo", configuration()),
    ],
    { xmlns: ZEEREX },
  );
}

function sets(): XmlElement[] {
  const byUri = new Map([...CONTEXT_SETS].toReversed().map(([name, identifier]) => [identifier, name]));
  return [...byUri].toReversed().map(([identifier, name]) => element("set", [], { name, identifier }));
}

function indexes(): XmlElement[] {
  const own = ownIndexNames().map((name) => indexOf(indexName(`carrel.${name}`)));
  return [...INDEXES, ...own].map(indexElement);
}

function indexElement({ title, names, sort, scan }: CqlIndex): XmlElement {
  const maps = names.map((name) => {
    const [set = "", own = ""] = name.split(".");
    return element("map", [element("name", own, { set })]);
  });
  return element("index", [element("title", title, { lang: "en" }), ...maps], {
    search: "true",
    scan: String(scan !== undefined),
    sort: String(sort !== undefined),
  });
}

function schemas(): XmlElement[] {
  return RECORD_SCHEMAS.map(({ name, identifier, title }) =>
    element("schema", [element("title", title, { lang: "en" })], {
      name,
      identifier,
      sort: "false",
      retrieve: "true",
    }),
  );
}

const RELATIONS = "= == <> < <= > >= exact adj all any within".split(" ");
const MODIFIERS =
  "relevant ignoreCase ignoreAccents stem word string isoDate number uri masked unmasked".split(" ");

function configuration(): XmlElement[] {
  const [{ name: schema }] = RECORD_SCHEMAS;
  return [
    element("default", String(SRU_RECORDS.default), { type: "numberOfRecords" }),
    element("default", schema, { type: "retrieveSchema" }),
    element("default", "cql", { type: "contextSet" }),
    element("default", "cql.serverChoice", { type: "index" }),
    element("default", "=", { type: "relation" }),
    element("setting", String(SRU_RECORDS.max), { type: "maximumRecords" }),
    element("setting", String(SCAN_TERMS.max), { type: "maximumTerms" }),
    ...supports("relation", RELATIONS),
    ...supports("relationModifier", MODIFIERS),
    ...supports("booleanModifier", ["unit=word", "distance=1", "ordered", "unordered"]),
    ...supports("maskingCharacter", ["*"]),
    ...supports("proximity", [""]),
    ...supports("sort", [""]),
    ...supports("scan", [""]),
  ];
}

function supports(type: string, values: readonly string[]): XmlElement[] {
  return values.map((value) => element("supports", value, { type }));
}
