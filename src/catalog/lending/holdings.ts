import type { Text } from "../texts.ts";
import { findControl } from "../storable-text.ts";
import { tryParseJson, isObject, type Json } from "../record.ts";
import { itemAccessOf, itemFromSubjects, type ItemMetadata } from "../ebook-access.ts";

/** Longest id of an item, and longest name of a file in it, in characters. */
const ITEM_ID_LENGTH = 200;
const ITEM_FILE_LENGTH = 500;
const CONTROLS = /[^ -~\u0080-\u{10ffff}]/u;

export function isItemId(text: string): boolean {
  return text.length <= ITEM_ID_LENGTH && /^[\w.@+~-]+$/.test(text) && !isStep(text);
}

/** Returns true for a valid name of a file of an item, with or without folders. */
export function isFileName(text: string): boolean {
  if (text.length > ITEM_FILE_LENGTH) return false;
  return !CONTROLS.test(text) && text.split("/").every((part) => part !== "" && !isStep(part));
}

/** Returns true for path steps, which would lead out of the item. */
function isStep(part: string): boolean {
  return part === "." || part === "..";
}

interface Holding extends ItemMetadata {
  /** Number of patrons who can borrow it at a time; at least 1. */
  readonly copies: number;
  /** True if it is also lent for an hour. */
  readonly browse: boolean;
}

export interface LendingTerms {
  readonly isReadable: boolean;
  readonly isLendable: boolean;
  readonly isPrintDisabled: boolean;
  /** Number of copies; 0 if it is not lent. */
  readonly copies: number;
  readonly browse: boolean;
}

export function termsOf(holding: Holding): LendingTerms {
  const access = itemAccessOf(holding);
  const isLendable = access === "borrowable";
  return {
    isReadable: access === "public",
    isLendable,
    isPrintDisabled: isLendable || access === "printdisabled",
    copies: isLendable ? Math.max(1, holding.copies) : 0,
    browse: isLendable && holding.browse,
  };
}

/** Derives the terms of an item without a row from its work's subjects: one copy, not by the hour. */
export function termsFromSubjects(subjects: readonly string[]): LendingTerms | undefined {
  const item = itemFromSubjects(subjects);
  return item === undefined ? undefined : termsOf({ ...item, copies: 1, browse: false });
}

const COPIES_MAX = 10_000;
/** Maximum collections of one item, and maximum length of the name of one, in characters. */
const COLLECTIONS_MAX = 100;
const COLLECTION_LENGTH_MAX = 200;
const OCAID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MEDIATYPE = /^[a-z]{1,30}$/;

export interface HoldingLine extends Holding {
  readonly ocaid: string;
  readonly mediatype: string;
  readonly imagecount: number | null;
}

const MEMBERS = new Set([
  "ocaid",
  "collections",
  "access_restricted",
  "copies",
  "browse",
  "mediatype",
  "imagecount",
]);

/**
 * Parses a line of a holdings file: a JSON object with `ocaid` and `collections`, and optionally `access_restricted`
 * (false), `copies` (1), `browse` (false), `mediatype` ("texts") and `imagecount` (null). Returns the reason if the
 * line is invalid.
 */
export function parseHoldingLine(text: string): HoldingLine | { readonly reason: Text } {
  const line = tryParseJson(text);
  if (!isObject(line)) return { reason: { key: "holding.object" } };
  const unknown = Object.keys(line).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) return { reason: { key: "holding.member", values: { name: unknown } } };
  const { ocaid, collections, access_restricted: restricted = false, browse = false } = line;
  const { copies = 1, mediatype = "texts", imagecount = null } = line;
  if (typeof ocaid !== "string" || !OCAID.test(ocaid)) return wrong("ocaid");
  if (!isCollections(collections)) return wrong("collections");
  if (typeof restricted !== "boolean") return wrong("access_restricted");
  if (typeof browse !== "boolean") return wrong("browse");
  if (!isCount(copies, 1, COPIES_MAX)) return wrong("copies");
  if (imagecount !== null && !isCount(imagecount, 0, Number.MAX_SAFE_INTEGER)) return wrong("imagecount");
  if (typeof mediatype !== "string" || !MEDIATYPE.test(mediatype)) return wrong("mediatype");
  return { ocaid, collections, accessRestricted: restricted, copies, browse, mediatype, imagecount };
}

function wrong(name: string): { reason: Text } {
  return { reason: { key: "holding.value", values: { name } } };
}

function isCollections(value: Json | undefined): value is string[] {
  if (!Array.isArray(value) || value.length > COLLECTIONS_MAX) return false;
  if (findControl(value) !== undefined) return false;
  return value.every((name) => typeof name === "string" && name.length <= COLLECTION_LENGTH_MAX);
}

function isCount(value: Json, least: number, most: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}
