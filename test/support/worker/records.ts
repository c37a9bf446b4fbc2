import type { TestRecord } from "./service.ts";

type Members = Partial<TestRecord>;

export const authorKey = (id: number): string => `/authors/OL${id}A`;
export const workKey = (id: number): string => `/works/OL${id}W`;
export const editionKey = (id: number): string => `/books/OL${id}M`;

/** An author `/authors/OL<id>A`. */
export function author(id: number, members: Members = {}): TestRecord {
  return { key: authorKey(id), type: "/type/author", name: `Author ${id}`, ...members };
}

/** A work `/works/OL<id>W`, by the authors with the numbers `authors`. */
export function work(id: number, { authors, ...members }: Members & { authors?: number[] } = {}): TestRecord {
  const roles = authors?.map((one) => ({
    type: { key: "/type/author_role" },
    author: { key: authorKey(one) },
  }));
  const written = roles === undefined ? {} : { authors: roles };
  return { key: workKey(id), type: "/type/work", title: `Work ${id}`, ...written, ...members };
}

/** An edition `/books/OL<id>M`, of the work with the number `work`. */
export function edition(id: number, { work: of, ...members }: Members & { work?: number } = {}): TestRecord {
  const works = of === undefined ? {} : { works: [{ key: workKey(of) }] };
  return { key: editionKey(id), type: "/type/edition", title: `Edition ${id}`, ...works, ...members };
}

/** A language `/languages/<code>`. */
export function language(code: string, name: string, members: Members = {}): TestRecord {
  return { key: `/languages/${code}`, type: "/type/language", code, name, ...members };
}

/** A tombstone: the record after its deletion. */
export function deleted(key: string, revision: number, members: Members = {}): TestRecord {
  return { key, type: "/type/delete", revision, ...members };
}

/** A record that has become another. */
export function redirected(key: string, location: string, revision = 2): TestRecord {
  return { key, type: "/type/redirect", location, revision };
}
