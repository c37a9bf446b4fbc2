import * as z from "zod";
import { readOwnMembers } from "../../../db/lists/read.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { listDropper } from "../../pages/reading/list-dropper.ts";

const list = z.object({ members: z.array(z.string()), listName: z.string() });

/** `GET /partials/MyBooksDropperLists.json`: one's own lists and what they hold (patrons.md 12). */
export const listDropperPartial = operation({
  id: "listDropper",
  summary: "One's own lists and what they hold, and a piece of a page that names them",
  tag: "reading",
  responses: {
    200: {
      description: "By key of the list, the last changed first",
      schema: z.object({ dropper: z.string(), listData: z.record(z.string(), list) }),
    },
    401: { description: "Not logged in" },
  },
  async handle(_input, context) {
    const { key } = await ownSession(context);
    const { stores, settings } = context;
    const lists = await readOwnMembers(stores.catalog, key, settings.RECORD_PREFIX);
    const listData = Object.fromEntries(
      lists.map(({ key: listKey, name, members }) => [listKey, { members, listName: name }]),
    );
    return privateJson({ dropper: String(listDropper(lists)), listData });
  },
});
