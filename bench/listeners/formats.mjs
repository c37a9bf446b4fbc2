/** Books in the formats of others, by themselves, many at once and as feeds of OPDS: whatever is asked, answers can be read. */
import { xmlError } from "../../src/catalog/xml.ts";
import { anyOf } from "../lib/hostile.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";

/** @import { Target } from "./targets.mjs" */

const FORMATS = [
  "mrc",
  "marcxml",
  "mods",
  "dc",
  "bibframe",
  "jsonld",
  "bib",
  "ris",
  "csljson",
  "oai_dc",
  "x",
];
const VALUES = {
  format: FORMATS,
  id: ["http://127.0.0.1/works/OL104W", "/books/OL104M", "OL101A", "x"],
  q: ["emma", "author:austen", "subject:love", "*:*", "nothing of the kind"],
  limit: ["1", "20", "1000", "1001"],
  key: ["want-to-read", "already-read", "x"],
  page: ["1", "2", "334", "335", "0"],
};

/** `/opds`, of which the description has the form with `.json`. @param {any} site @returns {Target} */
export function opds(site) {
  return books(site, "OPDS", /^\/opds[./]/);
}

/** Files of books. @param {any} site @returns {Target} */
export function formats(site) {
  return books(
    site,
    "formats of others",
    /\{format\}$|\.jsonld$|\/cite\.json$|\{list_id\}\/export$|^\/unapi$/,
  );
}

/** @param {any} site @param {string} name @param {RegExp} own @returns {Target} */
function books(site, name, own) {
  const paths = Object.entries(site.paths).filter(([path]) => own.test(path));
  const document = { ...site, paths: Object.fromEntries(paths) };
  return {
    name,
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, { random, pool }) {
      const made = requestOf(operation, { random, pool: { ...pool, byName: { ...pool.byName, ...VALUES } } });
      if (!made.isSound || random() < 0.5) return made;
      if (name === "OPDS")
        return { ...made, target: made.target.replace(/(?<!authentication)\.json(?=$|\?)/, "") };
      const accepted = anyOf(random, ["application/marc", "application/ld+json", "*/*", "text/html;q=2,,"]);
      return { ...made, headers: { ...made.headers, Accept: accepted } };
    },
    problem({ status, headers, body }) {
      if (status !== 200 || body.length === 0) return undefined;
      const type = String(headers["content-type"]);
      if (type.includes("xml")) return xmlError(body.toString());
      if (type.startsWith("application/marc")) return marcError(body);
      return type.includes("json") ? jsonError(body.toString()) : undefined;
    },
  };
}

/** @param {Buffer} file records of ISO 2709, each of which begins with its length @returns {string | undefined} */
function marcError(file) {
  for (let at = 0; at < file.length;) {
    const length = Number(file.subarray(at, at + 5).toString());
    if (!(length > 24) || file[at + length - 1] !== 0x1d) return `no record at byte ${at}`;
    at += length;
  }
  return undefined;
}

/** @param {string} text @returns {string | undefined} */
function jsonError(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
