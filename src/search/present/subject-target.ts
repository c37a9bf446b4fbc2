import { type SubjectType, subjectFolder, subjectKey } from "../documents/subject-key.ts";
import { type Query, equals } from "../query/query.ts";

/** What a page of a subject or publisher is about. */
export interface PageTarget {
  /** `/subjects/person:mark_twain`, `/publishers/Penguin Books`. */
  readonly key: string;
  /** As the address has it, with blanks. */
  readonly name: string;
  readonly type: SubjectType | "publisher";
  readonly field: string;
  readonly value: string;
}

const PREFIX = /^(person|place|time):/;
const SPECIAL = /[[\](){}:"\-+?~^/\\,']/g;

/** The subject that an address `/subjects/<key>` names (lookup.md 9.1). */
export function subjectTarget(key: string): PageTarget {
  const prefix = PREFIX.exec(key)?.[1];
  const type = typeOf(prefix);
  const path = prefix === undefined ? key : key.slice(prefix.length + 1);
  return {
    key: `/subjects/${key}`,
    name: path.replaceAll("_", " "),
    type,
    field: `${type}_key`,
    value: subjectKey(path),
  };
}

function typeOf(prefix: string | undefined): SubjectType {
  return prefix === "person" || prefix === "place" || prefix === "time" ? prefix : "subject";
}

/** The publisher that an address `/publishers/<key>` names (lookup.md 9.3): exactly this name. */
export function publisherTarget(key: string): PageTarget {
  const name = key.replaceAll("_", " ");
  return { key: `/publishers/${name}`, name, type: "publisher", field: "publisher_facet", value: name };
}

/** The works of a page. */
export function targetQuery({ field, value }: PageTarget): Query {
  return equals(field, value);
}

/** The same as text, as answers show it. */
export function targetText({ field, value }: PageTarget): string {
  return `${field}:"${value.replace(SPECIAL, String.raw`\$&`)}"`;
}

/** Key of a subject's page by the name of the subject. */
export function subjectPageKey(type: SubjectType, name: string): string {
  return subjectFolder(type) + subjectKey(name);
}

/** Key of a publisher's page by the name of the publisher. */
export function publisherPageKey(name: string): string {
  return `/publishers/${name.replaceAll(" ", "_")}`;
}
