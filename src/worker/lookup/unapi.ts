import * as z from "zod";
import { element, renderXmlDocument } from "../../catalog/xml.ts";
import { type FormatName, FORMATS, FORMAT_NAMES, mediaType } from "../../export/formats.ts";
import { baseUrl, operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { failure } from "../http/failure.ts";

/** Names of formats in reference managers, if they differ from the suffixes. */
const NAMES: Partial<Record<FormatName, string>> = { bib: "bibtex", mrc: "marc", dc: "oai_dc" };
const BY_NAME = new Map(FORMAT_NAMES.map((name) => [NAMES[name] ?? name, name]));
const XML = "application/xml";

/** Lists all formats; with `id` those of a book; with `format` as well, redirects to the book in that format. */
export const unapi = operation({
  id: "unapi",
  summary: "Export a book (unAPI, version 1)",
  tag: "lookup",
  query: {
    id: z.string().optional().describe("URL or key of a work or edition"),
    format: z
      .string()
      .optional()
      .describe([...BY_NAME.keys()].join(", ")),
  },
  responses: {
    200: { description: "Supported formats", contentType: XML },
    300: { description: "Formats of the book", contentType: XML },
    302: { description: "Redirect to the book in this format" },
    404: { description: "Not a URL or key of a work or edition" },
    406: { description: "Unknown format" },
  },
  handle({ query: { id, format } }, context) {
    const cacheControl = "public, max-age=3600";
    if (id === undefined) return { status: 200, body: formats(), contentType: XML, cacheControl };
    const { RECORD_PREFIX: prefix } = context.settings;
    const path = id.startsWith(baseUrl(context)) ? id.slice(baseUrl(context).length) : id;
    const [key] = new RegExp(`^/(?:books/${prefix}\\d+M|works/${prefix}\\d+W)(?=/|$)`).exec(path) ?? [];
    if (key === undefined) throw failure("not_found.book");
    if (format === undefined) return { status: 300, body: formats(id), contentType: XML, cacheControl };
    const name = BY_NAME.get(format);
    if (name === undefined) throw failure("not_acceptable.format");
    return redirect(302, `${key}.${name}`, { cacheControl });
  },
});

function formats(id?: string): string {
  const elements = [...BY_NAME].map(([name, format]) =>
    element("format", [], { name, type: mediaType(FORMATS[format].contentType) }),
  );
  return renderXmlDocument(element("formats", elements, id === undefined ? {} : { id }));
}
