import * as z from "zod";
import { english, isTextKey } from "../../catalog/texts.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { readShortChanges } from "../../db/history/changes.ts";
import { readNames } from "../../db/records/titles.ts";
import { changeAddress, recordKeysOf } from "../history/change-entry.ts";
import { listParameters, parseChangePath, readChangesFilter } from "../history/change-query.ts";
import { HIDDEN_KINDS } from "../history/recent-changes.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, type Parameters, baseUrl, catalogReader, operation } from "../http/operation.ts";
import { FEED_ENTRIES, FEED_RESPONSES, format, replyWithFeed, zonedTime } from "./feed-reply.ts";

const { author, bot, key } = listParameters;
const kindOrYear = z.string().describe("Kind of the changes, such as `add-book`, or four-digit year");

export const changesWebFeed = changeFeed("changesFeedOfAll", "Get recent changes as a feed", {});
export const changesOfKindFeed = changeFeed(
  "changesFeedOfKind",
  "Get recent changes of one kind or year as a feed",
  {
    kind_or_year: kindOrYear,
  },
);

function changeFeed(id: string, summary: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary,
    tag: "history",
    path: { ...path, format },
    query: { author, bot, key },
    responses: FEED_RESPONSES,
    async handle({ path: { format: as }, query }, context) {
      const page = context.url.pathname.replace(/\/feed\.\w+$/, "");
      const selection = parseChangePath(page);
      if (selection?.kind !== "list") throw notFound();
      const { filter } = await readChangesFilter(selection, query, context);
      const visible = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
      const window = { limit: FEED_ENTRIES, offset: 0 };
      const changes = await readShortChanges(catalogReader(context), visible, window);
      const names = await readNames(catalogReader(context), changes.flatMap(recordKeysOf));
      const site = baseUrl(context);
      const entries = changes.map((change) => {
        const text = `kind.${change.kind}`;
        const records = recordKeysOf(change).map((record) => names.get(record) ?? record);
        const title = isTextKey(text) ? english({ key: text }) : change.kind;
        return {
          title: records.length === 0 ? title : `${title}: ${records.join(", ")}`,
          href: site + changeAddress(change),
          id: `${site}/recentchanges/goto/${change.id}`,
          updated: zonedTime(change.created),
          summary: change.comment ?? undefined,
          authors: [change.author?.replace("/people/", "") ?? "Anonymous"],
        };
      });
      const etag = computeRevisionsEtag([], entries.map((entry) => entry.id + entry.title).join());
      const title = `Recent changes${selection.changeKind === undefined ? "" : `: ${selection.changeKind}`}`;
      return replyWithFeed(as, { title, page, entries, etag, cacheControl: "public, max-age=60" }, context);
    },
  });
}
