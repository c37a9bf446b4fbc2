import * as z from "zod";
import { notFound } from "../http/errors.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { json, plain, redirect } from "../http/reply.ts";
import { serviceAddress } from "../platform/mail.ts";

const DAY = "public, max-age=86400";
const LINKSET = "application/linkset+json";

/** Interfaces of the service, and what describes each for programs. */
const INTERFACES: readonly (readonly [path: string, description: string, type: string])[] = [
  ["/", "/openapi.json", "application/json"],
  ["/sru", "/sru?operation=explain", "application/xml"],
  ["/oai", "/oai?verb=Identify", "text/xml"],
  ["/opds", "/opds.json", "application/opds+json"],
  ["/reconcile", "/reconcile", "application/json"],
  ["/unapi", "/unapi", "application/xml"],
  ["/data", "/data.json", "application/json"],
];

const target = z.object({ href: z.string(), type: z.string() });
const catalogSchema = z
  .object({
    linkset: z.array(
      z.object({
        anchor: z.string(),
        "service-desc": z.array(target),
        "service-doc": z.array(target),
      }),
    ),
  })
  .meta({ id: "ApiCatalog" });

/** `GET /.well-known/api-catalog`: the interfaces of the service (RFC 9727), as links (RFC 9264). */
export const apiCatalog = operation({
  id: "apiCatalog",
  summary: "The interfaces of the service",
  tag: "service",
  responses: { 200: { description: "A set of links", contentType: LINKSET, schema: catalogSchema } },
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

/** `GET /.well-known/change-password`: where managers of passwords send people (https://www.w3.org/TR/change-password-url/). */
export const changePassword = operation({
  id: "whereToChangePassword",
  summary: "Where people change their password",
  tag: "account",
  responses: { 302: { description: "To the page" } },
  handle: () => redirect(302, "/account/preferences/change_password", { cacheControl: DAY }),
});

const DAY_MS = 86_400_000;
/** How long from a day on `security.txt` holds: less than a year, as RFC 9116 has it (2.5.5). */
const CONTACT_DAYS = 180;

/** `GET /.well-known/security.txt`: whom to tell of a hole in this service (RFC 9116), where `MAIL_FROM` names an address. */
export const securityText = operation({
  id: "securityText",
  summary: "Contact for security reports",
  tag: "service",
  responses: {
    200: { description: "An address to write to", contentType: "text/plain" },
    404: { description: "The service has no address" },
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
