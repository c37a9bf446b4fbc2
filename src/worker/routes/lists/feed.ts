import { revisionsEtag } from "../../../catalog/etag.ts";
import { atomFeed } from "../../../catalog/lists/atom.ts";
import { readEditionChanges } from "../../../db/lists/read-edition-changes.ts";
import { baseUrl, catalogReader } from "../../context.ts";
import {
  LISTS_CACHE_CONTROL,
  type ListFolder,
  listKey,
  listPath,
  listNotFound,
} from "../../lists/list-path.ts";
import { operation } from "../../operation.ts";
import { jsonText } from "../../reply.ts";

/** `GET <list>/feeds/updates.atom`: changes of the editions in a list (patrons.md 14.12). */
export const peopleListFeed = feedOperation("people", "peopleListFeed");
export const listFeed = feedOperation("lists", "listFeed");

function feedOperation(folder: ListFolder, id: string) {
  return operation({
    id,
    summary: "Feed of the changes of a list's editions",
    tag: "lists",
    path: listPath(folder, "list_id"),
    responses: {
      200: { description: "An Atom feed, newest change first", contentType: "application/atom+xml" },
      404: { description: "No such list" },
    },
    async handle({ path }, context) {
      const found = await readEditionChanges(catalogReader(context), listKey(folder, path, context));
      if (found === undefined) throw listNotFound();
      const { list, changes } = found;
      return jsonText(atomFeed({ list, changes, baseUrl: baseUrl(context) }), {
        contentType: 'application/atom+xml; charset="utf-8"',
        etag: revisionsEtag([list], changes.map(({ changeId, key }) => `${key}@${changeId}`).join()),
        cacheControl: LISTS_CACHE_CONTROL,
      });
    },
  });
}
