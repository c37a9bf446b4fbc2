import { isCatalogKey, keyOfAddress } from "../../catalog/keys.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import type { Document } from "../engine.ts";

export const ENTITY_TYPES = [
  { id: "work", name: "Work", description: "A book in all its editions" },
  { id: "edition", name: "Edition", description: "One published version of a book" },
  { id: "author", name: "Author", description: "Person or organization that writes books" },
  { id: "subject", name: "Subject", description: "Topic, place, person or period that books are about" },
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number]["id"];

/** Returns a type in the form for answers. */
export function toTypeReference(type: EntityType): { readonly id: string; readonly name: string } {
  return { id: type, name: ENTITY_TYPES.find(({ id }) => id === type)?.name ?? type };
}

const SUBJECT_ID = /^(subject|place|person|time):(.+)$/;

/** Returns the key for `OL1W`, `OL1M`, `OL1A`, `subject:love`, a record key or address; undefined otherwise. */
export function keyOfEntity(id: string, prefix: string): string | undefined {
  const key = keyOfAddress(id, prefix);
  if (key !== undefined && isCatalogKey(key)) return key;
  const [, kind, name = ""] = SUBJECT_ID.exec(id) ?? [];
  if (kind === undefined) return undefined;
  return `/subjects/${kind === "subject" ? "" : `${kind}:`}${name}`;
}

/** Returns the type of an entity by its key. */
export function typeOfKey(key: string): EntityType {
  if (key.startsWith("/authors/")) return "author";
  if (key.startsWith("/subjects/")) return "subject";
  return key.endsWith("M") ? "edition" : "work";
}

/** Returns the id of an entity by its key. Ids are not keys, since clients put them into addresses (Q602). */
export function entityIdOf(key: string): string {
  const last = key.slice(key.lastIndexOf("/") + 1);
  if (!key.startsWith("/subjects/")) return last;
  const name = key.slice("/subjects/".length);
  return SUBJECT_ID.test(name) ? name : `subject:${name}`;
}

export interface Entity {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly description: string;
  readonly document: Document;
}

/** Returns the entity of a document; undefined for a document of another kind. */
export function entityOf(document: Document): Entity | undefined {
  const key = textOf(document["key"]) ?? "";
  if (!/^\/(?:works|books|authors|subjects)\//.test(key)) return undefined;
  const type = typeOfKey(key);
  const [title, subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const name = textOf(document["name"]) ?? title ?? "";
  const whole = subtitle === undefined ? [] : [`${name}: ${subtitle}`];
  const authors = stringsOf(document["author_name"]);
  const byAuthors =
    authors.length === 0 ? [] : [name, ...whole].map((form) => `${form} ${authors.join(" ")}`);
  return {
    id: entityIdOf(key),
    type,
    name,
    otherNames: [...whole, ...byAuthors, ...stringsOf(document["alternate_names"])],
    description: descriptionOf(type, document),
    document,
  };
}

const SHOWN = 3;

function descriptionOf(type: EntityType, document: Document): string {
  const texts = (member: string): string => stringsOf(document[member]).slice(0, SHOWN).join(", ");
  const number = (member: string, noun: string): string => {
    const count = document[member];
    return typeof count === "number" ? `${count} ${noun}${count === 1 ? "" : "s"}` : "";
  };
  const life = [texts("birth_date"), texts("death_date")].some((date) => date !== "")
    ? `${texts("birth_date")}–${texts("death_date")}`
    : texts("date");
  const parts = {
    work: [texts("author_name"), yearOf(document["first_publish_year"]), number("edition_count", "edition")],
    edition: [texts("author_name"), texts("publisher"), texts("publish_date")],
    author: [life, texts("top_work"), number("work_count", "work")],
    subject: [texts("subject_type"), number("work_count", "work")],
  };
  return parts[type].filter((part) => part !== "").join(" · ");
}

function yearOf(year: Document[string] | undefined): string {
  return typeof year === "number" ? String(year) : "";
}
