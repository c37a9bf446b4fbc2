import * as z from "zod";
import { type Identifier, lookupLccn, normalizeOclc } from "../../catalog/identifiers/edition-identifiers.ts";
import { FORMAT_NAMES } from "../../export/formats.ts";
import { asinOf, bothIsbns, canonicalIsbn, isChecked } from "../../catalog/identifiers/isbn.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { identifiersOfScan } from "../holdings/edition-of-address.ts";
import { wantsHtml } from "../http/accept.ts";
import { recordNotFound } from "../http/errors.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup, shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { requestLookup } from "./missed-books.ts";

/** Shortest text after `/isbn/` that is looked at. */
const ISBN_TEXT_LENGTH = 10;
const SUFFIX = /\.(json|rdf|yml|opds|marcxml)$/;
/** Q566: names of items have dots of their own. */
const EXPORT_SUFFIX = new RegExp(`\\.(?:${FORMAT_NAMES.join("|")})$`);

const responses = { 302: { description: "The edition" }, 404: { description: "No edition has it" } };
const path = { value: z.string() };

/** `GET /isbn/<value>`: ISBN-10, ISBN-13 or ASIN, with blanks and hyphens if you like. */
export const isbnRedirect = operation({
  id: "isbnRedirect",
  summary: "The edition with an ISBN",
  tag: "lookup",
  path,
  responses,
  async handle({ path: { value } }, context) {
    const { text, suffix } = split(value);
    const asin = asinOf(text);
    const isbn = asin === undefined ? canonicalIsbn(text) : undefined;
    const wanted =
      asin === undefined
        ? bothIsbns(text).flatMap((spelling) => one("isbn", spelling))
        : [{ kind: "amazon", value: asin }];
    const key = text.length < ISBN_TEXT_LENGTH ? undefined : await find(wanted, context);
    if (key !== undefined) return found(key, suffix, context);
    requestLookup([{ isbn: isbn ?? null, asin: asin ?? null }], context);
    if (suffix === "" && wantsHtml(context.request)) {
      return nobodyHas(text, isbn !== undefined && isChecked(isbn) ? isbn : asin);
    }
    throw recordNotFound(`/isbn/${text}`);
  },
});

/** What people get where no edition has an ISBN: whether it is one at all, and what they can do. */
function nobodyHas(text: string, known: string | undefined): Reply {
  const shown = shortText(text);
  return page({
    title: say(known === undefined ? "isbn.none" : "isbn.unknown"),
    q: shown,
    status: 404,
    body: markup`<p>${say(known === undefined ? "isbn.wrong" : "isbn.missing", { isbn: markup`<bdi>${shown}</bdi>` })}</p>
<ul>${known !== undefined && markup`<li>${link(`/books/add?${new URLSearchParams({ isbn: known })}`, say("isbn.add"))}</li>`}
<li>${link(`/search?${new URLSearchParams({ q: shown })}`, say("isbn.search"))}</li>
<li>${link("/barcodescanner", say("home.barcode"))}</li></ul>`,
  });
}

/** `GET /oclc/<value>`. */
export const oclcRedirect = identifierRedirect("oclc", (value) => one("oclc", normalizeOclc(value)));

/** `GET /lccn/<value>`. */
export const lccnRedirect = identifierRedirect("lccn", (value) => one("lccn", lookupLccn(value)));

/** `GET /ia/<value>`: the edition that has the scan, or was made from it. */
export const iaRedirect = identifierRedirect("ia", identifiersOfScan);

function identifierRedirect(
  name: "oclc" | "lccn" | "ia",
  wanted: (value: string) => Identifier[],
): AnyOperation {
  return operation({
    id: `${name}Redirect`,
    summary: `The edition with an identifier of kind ${name}`,
    tag: "lookup",
    path,
    responses,
    async handle({ path: { value } }, context) {
      const { text, suffix } = split(value, name === "ia" ? name : undefined);
      // Segments after the value are decoration; blanks come as underscores, but not in item names.
      const [first = ""] = text.split("/");
      const key = await find(wanted(name === "ia" ? first : first.replaceAll("_", " ")), context);
      if (key === undefined) throw recordNotFound(`/${name}/${first}`);
      return found(key, suffix, context);
    },
  });
}

function split(value: string, name?: "ia"): { text: string; suffix: string } {
  const suffix = (SUFFIX.exec(value) ?? (name === "ia" ? undefined : EXPORT_SUFFIX.exec(value)))?.[0] ?? "";
  return { text: suffix === "" ? value : value.slice(0, -suffix.length), suffix };
}

function one(kind: string, value: string | undefined): Identifier[] {
  return value === undefined ? [] : [{ kind, value }];
}

function find(wanted: readonly Identifier[], context: RequestContext): Promise<string | undefined> {
  return wanted.length === 0 ? Promise.resolve(undefined) : findEditionKey(catalogReader(context), wanted);
}

// Q29: 302, and the readable end is left to the record.
function found(key: string, suffix: string, { url }: RequestContext): Reply {
  const search = new URLSearchParams(url.search);
  search.delete("high_priority");
  const query = search.size === 0 ? "" : `?${search}`;
  return redirect(302, `${key}${suffix}${query}`);
}
