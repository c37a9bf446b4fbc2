import { type XmlElement, element } from "../../catalog/xml.ts";
import { readFirstChange } from "../../db/history/harvest.ts";
import { type RequestContext, baseUrl, catalogReader } from "../http/operation.ts";
import { NAME } from "../http/settings.ts";
import { serviceAddress } from "../platform/mail.ts";
import { identifierPrefix, oaiUrl } from "./answer.ts";
import { datestamp, utc } from "./dates.ts";

const IDENTIFIER_NAMESPACE = "http://www.openarchives.org/OAI/2.0/oai-identifier";
/** What the scheme of identifiers takes for the name of a repository. */
const DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+$/i;

/** What the repository is. */
export async function identify(context: RequestContext): Promise<XmlElement> {
  const first = await readFirstChange(catalogReader(context));
  const host = new URL(baseUrl(context)).hostname;
  const elements = {
    repositoryName: host === "localhost" ? NAME : host,
    baseURL: oaiUrl(context),
    protocolVersion: "2.0",
    // Every domain has that one (RFC 5321, 4.5.1).
    adminEmail:
      serviceAddress(context.settings) ?? `postmaster@${host.includes(".") ? host : `${host}.invalid`}`,
    earliestDatestamp: first === undefined ? utc(context.now) : datestamp(first),
    deletedRecord: "persistent",
    granularity: "YYYY-MM-DDThh:mm:ssZ",
  };
  const children = Object.entries(elements).map(([name, text]) => element(name, text));
  return element("Identify", [...children, ...(DOMAIN.test(host) ? [scheme(host, context)] : [])]);
}

function scheme(host: string, context: RequestContext): XmlElement {
  const children = Object.entries({
    scheme: "oai",
    repositoryIdentifier: host,
    delimiter: ":",
    sampleIdentifier: `${identifierPrefix(context)}${context.settings.RECORD_PREFIX}1M`,
  }).map(([name, text]) => element(name, text));
  const declared = {
    xmlns: IDENTIFIER_NAMESPACE,
    "xsi:schemaLocation": `${IDENTIFIER_NAMESPACE} http://www.openarchives.org/OAI/2.0/oai-identifier.xsd`,
  };
  return element("description", [element("oai-identifier", children, declared)]);
}
