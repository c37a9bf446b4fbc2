import type { FedChange } from "../../db/changes/read-feed.ts";

/**
 * A change of the feed as JSON text. Documents, changes and data are the stored texts themselves, so that a copy of
 * the catalog can be equal to the last byte.
 */
export function feedText(change: FedChange): string {
  const { id, kind, created, comment, author, bot, data, changes, documents } = change;
  const loaded = changes === null;
  const saved = documents.map(({ key, revision }) => ({ key, revision }));
  const members = [
    `"id":${id}`,
    `"kind":${JSON.stringify(kind)}`,
    `"timestamp":${JSON.stringify(created)}`,
    `"comment":${JSON.stringify(comment)}`,
    `"author":${author === null ? "null" : JSON.stringify({ key: author })}`,
    `"bot":${bot === 1}`,
    `"data":${data}`,
    `"loaded":${loaded}`,
    `"changes":${changes ?? JSON.stringify(saved)}`,
    `"documents":[${documents.map(({ document }) => document).join(",")}]`,
  ];
  return `{${members.join(",")}}`;
}
