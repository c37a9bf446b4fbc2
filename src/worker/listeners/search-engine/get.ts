import { project } from "../../../search/documents/fields.ts";
import { SolrRequestError } from "../../../search/solr/solr-error.ts";
import { returnedFields } from "../../../search/solr/select-request.ts";
import type { EngineCall } from "./call.ts";

/** Documents that one request may ask for by key. */
const GET_KEYS_MAX = 1000;

/** `/get`: documents by key (search.md 12). */
export async function getDocuments({ parameters, engine }: EngineCall): Promise<Record<string, unknown>> {
  const fields = returnedFields(parameters.getAll("fl"));
  const ids = parameters.getAll("ids").flatMap((list) => list.split(","));
  const keys = [...parameters.getAll("id"), ...ids].map((key) => key.trim()).filter((key) => key !== "");
  if (keys.length > GET_KEYS_MAX) throw new SolrRequestError(`more than ${GET_KEYS_MAX} ids`);
  const documents = keys.length === 0 ? [] : await engine.getMany(keys);
  const docs = documents.map((document) => project(document, fields));
  if (!parameters.has("ids")) return { doc: docs[0] ?? null };
  return { response: { numFound: docs.length, start: 0, numFoundExact: true, docs } };
}
