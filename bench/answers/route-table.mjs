/** The routes as `npm run routes` prints them (method, access, path), and what the service's description says of them. */
import { readFile } from "node:fs/promises";

/** @import { Operation } from "./openapi/description.mjs" */

/** @typedef {{ method: string, path: string, access: string }} Route */

const ROW = /^([A-Z]+) +([a-z-]+) +(\/\S*)$/gm;
/** Who has most often to do with routes of an access level. @type {Record<string, string>} */
const OWNERS = {
  librarian: "librarian",
  "super-librarian": "writer",
  writer: "writer",
  importer: "writer",
  maintainer: "admin",
  admin: "admin",
  inspector: "admin",
  operator: "operator",
  "cover-writer": "covers",
};

/** @param {string} file @returns {Promise<Route[]>} */
export async function readRoutes(file) {
  const text = await readFile(file, "utf8");
  return [...text.matchAll(ROW)].map(([, method = "", access = "", path = ""]) => ({ method, path, access }));
}

/** The role that a route is for. @param {Route} route */
export function ownerOf({ access }) {
  return OWNERS[access] ?? "patron";
}

/**
 * What is said of a route, or of the one that it is another form of.
 * @param {Route} route
 * @param {readonly Operation[]} operations
 * @returns {{ operation: Operation | undefined, isOther: boolean }}
 */
export function operationOf({ method, path }, operations) {
  const plain = path.replaceAll("XX{", "OL{").replaceAll(":path}", "}");
  const forms = [
    plain,
    `${plain}.json`,
    plain.replace(/\.json$/, ""),
    plain.replace("/covers/", "/"),
    plain.replace("/{slug}", ""),
  ];
  const last = forms.map((form) => form.replace("/{slug}", "").replace(/\.json$/, ""));
  for (const form of [...forms, ...last]) {
    const operation = operations.find((one) => one.method === method && one.path === form);
    if (operation !== undefined) return { operation, isOther: form !== plain };
  }
  return { operation: undefined, isOther: true };
}
