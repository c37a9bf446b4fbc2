import { revisionsEtag } from "../../../catalog/etag.ts";
import { atomFeed } from "../../../catalog/lists/atom.ts";
import { readEditionChanges } from "../../../db/lists/read-edition-changes.ts";
import { baseUrl, catalogReader } from "../../context.ts";
import { listOperation } from "../../lists/list-operation.ts";
import { LISTS_CACHE_CONTROL, type ListFolder, listNotFound } from "../../lists/list-path.ts";
import { jsonText } from "../../reply.ts";

/** `GET <list>/feeds/updates.atom`: changes of the editions in a list (patrons.md 14.12). */
export const peopleListFeed = feedOperation("people", "peopleListFeed");
export const listFeed = feedOperation("lists", "listFeed");

function feedOperation(folder: ListFolder, id: string) {
  return listOperation({
    id,
    summary: "Feed of the changes of a list's editions",
    folder,
    number: "list_id",
    responses: {
      200: { description: "An Atom feed, newest change first", contentType: "application/atom+xml" },
      404: { description: "No such list" },
    },
    async handle(key, _query, context) {
      const found = await readEditionChanges(catalogReader(context), key);
      if (found === undefined) throw listNotFound();
      const { list, changes } = found;
      return jsonText(atomFeed({ list, changes, baseUrl: baseUrl(context) }), {
        contentType: 'application/atom+xml; charset="utf-8"',
        etag: revisionsEtag([list], changes.map((change) => `${change.key}@${change.changeId}`).join()),
        cacheControl: LISTS_CACHE_CONTROL,
      });
    },
  });
}
