import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { element, renderXmlDocument } from "../../catalog/xml.ts";
import { baseUrl, operation, rootPath } from "../http/operation.ts";
import { plain, redirect, json } from "../http/reply.ts";
import { staticFile } from "../http/static-files.ts";
import { notFound } from "../http/errors.ts";
import { serviceAddress } from "../platform/mail.ts";

export const siteImage = operation({
  id: "siteImage",
  summary: "Get an image of the site",
  tag: "service",
  path: { path: z.string().describe("Path below /static/images/") },
  responses: {
    200: {
      description: "SVG image",
      contentType: "image/svg+xml",
      also: ["image/png", "image/gif", "image/jpeg"],
    },
    404: { description: "Image not found" },
  },
  handle: (_input, context) => staticFile(context, `/static${context.url.pathname}`),
});

export const favicon = operation({
  id: "favicon",
  summary: "Redirect to the favicon",
  tag: "service",
  responses: { 301: { description: "Redirect to the favicon" } },
  handle: () => redirect(301, "/static/favicon.ico"),
});

const DAY = "public, max-age=86400";
const CLOSED = "User-agent: *\nDisallow: /\n";
const RULES = `Disallow: /api
Disallow: /edit
Disallow: /account
Disallow: /merges
Disallow: /search
Disallow: /advancedsearch
Disallow: /publishers
Disallow: /books/add
Disallow: /*/edit$
Disallow: /*borrow*
Disallow: /*.rdf$
`;
/** Crawlers that send too many requests unless told a delay, and that respect it. */
const HASTY = ["AhrefsBot", "bingbot", "SemrushBot", "YandexBot"];
const CRAWL_DELAY = 10;
// A crawler follows only the group that names it, so the rules are repeated there.
const OPEN = `User-agent: *
${RULES}
${HASTY.map((name) => `User-agent: ${name}\n`).join("")}Crawl-delay: ${CRAWL_DELAY}
${RULES}`;

/** `GET /robots.txt`: crawlers are welcome on the canonical host only. */
export const robots = operation({
  id: "robots",
  summary: "Get the rules for crawlers",
  tag: "service",
  responses: { 200: { description: "Rules for crawlers", contentType: "text/plain" } },
  handle(_input, { settings, url }) {
    // Q46: open on the canonical host only.
    const base = new URL(baseUrl({ settings, url }));
    const isCanonical = settings.BASE_URL !== "" && base.host === url.host;
    const text = isCanonical ? `${OPEN}Sitemap: ${base.href.replace(/\/?$/, "/sitemap.xml")}\n` : CLOSED;
    // Q867
    return plain(text.replaceAll(" /", ` ${rootPath(base.href)}/`), { cacheControl: DAY });
  },
});

const TYPE = "application/opensearchdescription+xml";

export const openSearch = operation({
  id: "openSearch",
  summary: "Get the OpenSearch description",
  tag: "service",
  responses: { 200: { description: "OpenSearch description", contentType: TYPE } },
  async handle(_input, context) {
    const base = baseUrl(context);
    const { name } = await context.site();
    const search = (type: string, template: string) =>
      element("Url", [], { type, template: `${base}/${template}` });
    const description = element(
      "OpenSearchDescription",
      [
        element("ShortName", name),
        element("Description", "Search the library catalog"),
        element("InputEncoding", "UTF-8"),
        element("Image", `${base}/static/favicon.ico`, { width: "16", height: "16", type: "image/x-icon" }),
        search("text/html", "search?q={searchTerms}"),
        search("application/json", "search.json?q={searchTerms}&page={startPage?}"),
      ],
      { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
    );
    const body = renderXmlDocument(description);
    return { status: 200, body, contentType: `${TYPE}; charset=utf-8`, cacheControl: "public, max-age=60" };
  },
});

const LINKSET = "application/linkset+json";

const INTERFACES: readonly (readonly [path: string, description: string, type: string])[] = [
  ["/", "/openapi.json", "application/json"],
  ["/sru", "/sru?operation=explain", "application/xml"],
  ["/oai", "/oai?verb=Identify", "text/xml"],
  ["/opds", "/opds.json", "application/opds+json"],
  ["/mcp", "/openapi.json", "application/json"],
  ["/reconcile", "/reconcile", "application/json"],
  ["/unapi", "/unapi", "application/xml"],
  ["/data", "/data.json", "application/json"],
];

const target = z.object({ href: z.string(), type: z.string() });
const catalogSchema = z
  .object({
    linkset: z.array(
      z.object({ anchor: z.string(), "service-desc": z.array(target), "service-doc": z.array(target) }),
    ),
  })
  .meta({ id: "ApiCatalog" });

/** `GET /.well-known/api-catalog`: the interfaces of the service (RFC 9727), as links (RFC 9264). */
export const apiCatalog = operation({
  id: "apiCatalog",
  summary: "List the APIs of the service",
  tag: "service",
  responses: { 200: { description: "Set of links", contentType: LINKSET, schema: catalogSchema } },
  handle(_input, context) {
    const base = baseUrl(context);
    const linkset = INTERFACES.map(([path, description, type]) => ({
      anchor: base + path,
      "service-desc": [{ href: base + description, type }],
      "service-doc": [{ href: `${base}/docs`, type: "text/html" }],
    }));
    return json(
      { linkset },
      {
        contentType: `${LINKSET}; profile="https://www.rfc-editor.org/info/rfc9727"`,
        cacheControl: DAY,
        headers: { Link: `<${base}/.well-known/api-catalog>; rel="api-catalog"` },
      },
    );
  },
});

/** `GET /.well-known/change-password`: for password managers (https://www.w3.org/TR/change-password-url/). */
export const changePasswordAddress = operation({
  id: "whereToChangePassword",
  summary: "Redirect to the page to change the password",
  tag: "account",
  responses: { 302: { description: "Redirect to the page" } },
  handle: () => redirect(302, "/account/preferences/change_password", { cacheControl: DAY }),
});

/** Validity of `security.txt`, in days: less than a year (RFC 9116, 2.5.5). */
const CONTACT_DAYS = 180;

/** `GET /.well-known/security.txt`: contact for vulnerabilities (RFC 9116), if `MAIL_FROM` has an address. */
export const securityText = operation({
  id: "securityText",
  summary: "Get the contact for security reports",
  tag: "service",
  responses: {
    200: { description: "Contact address", contentType: "text/plain" },
    404: { description: "No contact configured" },
  },
  handle(_input, context) {
    const address = serviceAddress(context.settings);
    if (address === undefined) throw notFound();
    const expires = (Math.floor(context.now / DAY_MS) + CONTACT_DAYS) * DAY_MS;
    const fields = {
      Contact: `mailto:${address}`,
      Expires: new Date(expires).toISOString(),
      Canonical: `${baseUrl(context)}/.well-known/security.txt`,
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
    return plain(lines.join(""), { cacheControl: DAY });
  },
});
