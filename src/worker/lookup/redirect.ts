import * as z from "zod";
import {
  type Identifier,
  toLookupLccn,
  normalizeOclc,
} from "../../catalog/identifiers/edition-identifiers.ts";
import { FORMAT_NAMES } from "../../export/formats.ts";
import { asinOf, bothIsbnsOf, toCanonicalIsbn, hasValidCheckDigit } from "../../catalog/identifiers/isbn.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { identifiersOfScan } from "./editions/bundles.ts";
import { recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Redirect, redirect } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { requestLookup } from "./books.ts";
import { missingIsbnPage } from "./missing-isbn-page.ts";

const SUFFIX = /\.(json|rdf|yml|opds|marcxml)$/;
/** Q566: not for names of items, which may contain dots. */
const EXPORT_SUFFIX = new RegExp(`\\.(?:${FORMAT_NAMES.join("|")})$`);

const responses = {
  302: { description: "Redirect to the edition" },
  404: { description: "No edition with this identifier" },
};
const path = { value: z.string() };

/** Redirects from an ISBN-10, ISBN-13 or ASIN, with or without blanks and hyphens. */
export const isbnRedirect = resource({
  id: "isbnRedirect",
  summary: "Redirect an ISBN to its edition",
  tag: "lookup",
  path,
  responses,
  async read({ path: { value } }, context) {
    const { text, suffix } = splitSuffix(value, [SUFFIX, EXPORT_SUFFIX]);
    const asin = asinOf(text);
    const isbn = asin === undefined ? toCanonicalIsbn(text) : undefined;
    const identifiers =
      asin === undefined
        ? bothIsbnsOf(text).flatMap((spelling) => identifierOf("isbn", spelling))
        : [{ kind: "amazon", value: asin }];
    const key = await findKey(identifiers, context);
    if (key !== undefined) return redirectToEdition(key, suffix, context);
    requestLookup([{ isbn: isbn ?? null, asin: asin ?? null }], context);
    if (suffix !== "") throw recordNotFound(`/isbn/${text}`);
    return { text, valid: isbn !== undefined && hasValidCheckDigit(isbn) ? isbn : asin };
  },
  asJson({ text }) {
    throw recordNotFound(`/isbn/${text}`);
  },
  page: ({ text, valid }) => missingIsbnPage(text, valid),
});

export const oclcRedirect = identifierRedirect("oclc", (value) => identifierOf("oclc", normalizeOclc(value)));
export const lccnRedirect = identifierRedirect("lccn", (value) => identifierOf("lccn", toLookupLccn(value)));
/** Redirects to the edition that has the scan, or was made from it. */
export const iaRedirect = identifierRedirect("ia", identifiersOfScan);

function identifierRedirect(
  name: "oclc" | "lccn" | "ia",
  identifiersOf: (value: string) => Identifier[],
): AnyOperation {
  return operation({
    id: `${name}Redirect`,
    summary: `Redirect an identifier of type ${name} to its edition`,
    tag: "lookup",
    path,
    responses,
    async handle({ path: { value } }, context) {
      const { text, suffix } = splitSuffix(value, name === "ia" ? [SUFFIX] : [SUFFIX, EXPORT_SUFFIX]);
      // Segments after the value are decoration; blanks come as underscores, but not in item names.
      const [first = ""] = text.split("/");
      const identifiers = identifiersOf(name === "ia" ? first : first.replaceAll("_", " "));
      const key = await findKey(identifiers, context);
      if (key === undefined) throw recordNotFound(`/${name}/${first}`);
      return redirectToEdition(key, suffix, context);
    },
  });
}

function splitSuffix(value: string, patterns: readonly RegExp[]): { text: string; suffix: string } {
  const match = patterns.map((pattern) => pattern.exec(value)).find((result) => result !== null);
  const suffix = match?.[0] ?? "";
  return { text: suffix === "" ? value : value.slice(0, -suffix.length), suffix };
}

function identifierOf(kind: string, value: string | undefined): Identifier[] {
  return value === undefined ? [] : [{ kind, value }];
}

async function findKey(
  identifiers: readonly Identifier[],
  context: RequestContext,
): Promise<string | undefined> {
  return identifiers.length === 0 ? undefined : findEditionKey(catalogReader(context), identifiers);
}

// Q29: 302; the record itself redirects to its readable address.
function redirectToEdition(key: string, suffix: string, { url }: RequestContext): Redirect {
  const search = new URLSearchParams(url.search);
  search.delete("high_priority");
  const query = search.size === 0 ? "" : `?${search}`;
  return redirect(302, `${key}${suffix}${query}`);
}
