import { MIB } from "../../../catalog/units.ts";
import { findControl } from "../../../catalog/storable-text.ts";
import { type Json, type JsonObject, isObject } from "../../../catalog/record.ts";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { parseDocument } from "../../../catalog/document.ts";
import { type StoreLeaf, storeLeavesOf } from "../../../catalog/store-leaves.ts";
import { utf8Length } from "../../../catalog/bytes.ts";
import {
  type StorePut,
  type FoundDocument,
  putDocuments,
  QUERIED_BYTES,
  queryDocuments,
  readStoreDocument,
} from "../../../db/service/store.ts";
import { type Database, PARAMETER_BYTES } from "../../../db/statement.ts";
import { answerTooLarge, recordNotFound } from "../../http/errors.ts";
import { requestJson } from "../../http/request-body.ts";
import { type StoreCall, decodeKey } from "./call.ts";
import { documentConflict, homeOf, refuseView, revOf, storeViewOf, writePreferences } from "./views.ts";
import { failure } from "../../http/failure.ts";

const STORE_BODY_BYTES = MIB;
const STORE_SAVE_MANY_MAX = 100;
const STORE_LEAVES_MAX = 10_000;
const STORE_KEY_LENGTH = 512;
const STORE_QUERY_LIMIT = { default: 100, max: 1000 };

/** `GET /<site>/_store/<key>`: a document with `_key` and `_rev`. */
export async function getDocument({ context, patrons, path }: StoreCall) {
  const key = decodeKey(path["key"]);
  const home = homeOf(key);
  const row = home === undefined ? await readStoreDocument(patrons, key) : undefined;
  const document = home === undefined ? row && storedDocument(row) : await storeViewOf(context, home);
  if (document === undefined) throw recordNotFound(key);
  return document;
}

/** `PUT /<site>/_store/<key>`: stores a document, or deletes it if it has `_delete`. */
export async function putStoreDocument({ context, patrons, path }: StoreCall) {
  const key = decodeKey(path["key"]);
  const body = await requestJson(context, STORE_BODY_BYTES);
  if (!isObject(body)) throw failure("bad_data.json_object");
  const home = homeOf(key);
  if (home?.kind === "preferences") await writePreferences(context, home, body);
  else await putAll(patrons, [putOf(key, body, context.now)]);
  return { ok: true };
}

/** `DELETE /<site>/_store/<key>`: succeeds also if there is none. */
export async function deleteDocument({ context, patrons, path }: StoreCall) {
  const key = decodeKey(path["key"]);
  await putAll(patrons, [putOf(key, { _delete: true }, context.now)]);
  return { ok: true };
}

/** `POST /<site>/_store/_save_many`: stores documents with `_key`, all of them or none. */
export async function putManyDocuments({ context, patrons }: StoreCall) {
  const body = await requestJson(context, STORE_BODY_BYTES);
  if (!Array.isArray(body) || !body.every(isObject)) throw failure("bad_data.json_array");
  if (body.length > STORE_SAVE_MANY_MAX)
    throw failure("bad_data.too_many_documents", { most: STORE_SAVE_MANY_MAX });
  const puts = body.map((document, index) => {
    const { _key: key } = document;
    if (typeof key !== "string" || key === "") throw failure("bad_data.store_key", { index });
    return putOf(key, document, context.now);
  });
  await putAll(patrons, puts);
  return null;
}

/** `GET /<site>/_store/_query`: documents by type, and by name and value of a leaf, the last written first. */
export async function findDocuments({ patrons, optional }: StoreCall) {
  const [type, name, value] = [optional("type"), optional("name"), optional("value")];
  // Q175: these are stored elsewhere.
  if (type !== undefined && VIEWED_TYPES.has(type)) throw failure("bad_data.document_type", { type });
  const wantsDocuments = /^true$/i.test(optional("include_docs") ?? "");
  const { default: usual, max } = STORE_QUERY_LIMIT;
  const limit = Math.min(numberOf(optional("limit"), usual), max);
  const offset = numberOf(optional("offset"), 0);
  const rows = await queryDocuments(patrons, { type, name, value, limit, offset });
  if (!wantsDocuments) return rows.map(({ key }) => ({ key }));
  return rows.map((row) => ({ key: row.key, doc: storedDocument(row) }));
}

const DIGITS = /^\d{1,15}$/;
const VIEWED_TYPES = new Set(["account", "account-email", "account-link", "preferences"]);

function storedDocument({ key, rev, document }: FoundDocument): JsonObject {
  if (document === null) throw answerTooLarge(QUERIED_BYTES);
  return { ...parseDocument(document), _key: key, _rev: String(rev) };
}

function numberOf(text: string | undefined, otherwise: number): number {
  return text !== undefined && DIGITS.test(text) ? Number(text) : otherwise;
}

/** Returns the write of a sent document. Throws 400 if it cannot be stored. */
function putOf(key: string, body: JsonObject, now: number): StorePut {
  const home = homeOf(key);
  if (home !== undefined) throw refuseView(key, home);
  const isKey = key !== "" && !key.startsWith("_") && key.length <= STORE_KEY_LENGTH && key.isWellFormed();
  if (!isKey) throw failure("bad_data.key", { key });
  const { _key: _, _rev: rev, ...document } = body;
  const path = findControl(body);
  if (path !== undefined) throw failure("bad_data.control_in", { name: path.join(".") });
  const updated = formatDatetime(now);
  if (document["_delete"] === true) {
    const instead = rev === undefined ? null : expectedRevOf(rev);
    return { key, instead, document: null, type: null, leaves: [], updated };
  }
  const { type } = document;
  return {
    key,
    instead: expectedRevOf(rev),
    document: JSON.stringify(document),
    type: typeof type === "string" ? type : null,
    leaves: leavesWithinLimits(document),
    updated,
  };
}

/** Returns the `rev` that a document must have: 0 if it must not exist, null for any, or -1, which no document has. */
function expectedRevOf(rev: Json | undefined): number | null {
  if (rev === undefined) return 0;
  if (rev === null) return null;
  return DIGITS.test(revOf(rev)) ? Number(revOf(rev)) : -1;
}

function leavesWithinLimits(document: JsonObject): StoreLeaf[] {
  const leaves = storeLeavesOf(document);
  if (leaves.length > STORE_LEAVES_MAX) throw failure("bad_data.document_values", { most: STORE_LEAVES_MAX });
  if (utf8Length(JSON.stringify(leaves)) > PARAMETER_BYTES) {
    throw failure("bad_data.document_bytes", { most: PARAMETER_BYTES });
  }
  return leaves;
}

async function putAll(patrons: Database, puts: readonly StorePut[]): Promise<void> {
  const result = await putDocuments(patrons, puts);
  if ("conflict" in result) throw documentConflict(result.conflict);
}
