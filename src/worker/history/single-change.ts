import * as z from "zod";
import { hasRole } from "../../catalog/roles.ts";
import { renderYaml } from "../../catalog/yaml.ts";
import { type ChangeRow, readChanges } from "../../db/history/changes.ts";
import { readNames } from "../../db/records/titles.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, json, jsonText, redirect } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Piece, addressOf, markup } from "../ui/markup.ts";
import { namedLink, kindName } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { changeAddress, changeEntry } from "./change-entry.ts";
import { type Suffix, splitSuffix } from "./change-query.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

/** Answers with one change by its id. Day and kind in the path, which has no suffix, are ignored. */
export async function replyWithChange(
  id: number,
  { path, suffix, isPage }: { path: string; suffix: Suffix; isPage: boolean },
  context: RequestContext,
): Promise<Reply> {
  const row = await readChange(id, context);
  if (row === undefined) throw recordNotFound(path);
  const more = { cacheControl: NO_STORE, headers: { Vary: "Accept" } };
  if (isPage) {
    const address = changeAddress(row);
    // Q126: browsers are redirected to the canonical address.
    if (address !== context.url.pathname) return redirect(301, address + context.url.search);
    return changePage(row, context);
  }
  const entry = changeEntry(row);
  if (suffix !== ".yml") return json(entry, more);
  return jsonText(renderYaml(entry), { ...more, contentType: "text/x-yaml; charset=utf-8" });
}

async function readChange(id: number, context: RequestContext): Promise<ChangeRow | undefined> {
  const [row] = await readChanges(catalogReader(context), { id }, { limit: 1, offset: 0 });
  return row;
}

export const gotoChange = operation({
  id: "gotoChange",
  summary: "Redirect to a change",
  tag: "history",
  path: { id: z.string().describe("Number of the change; a suffix is carried over") },
  responses: {
    302: { description: "The change's own address" },
    404: { description: "No such change" },
  },
  async handle(_input, context) {
    const { path, suffix } = splitSuffix(context.url.pathname);
    const id = path.slice(path.lastIndexOf("/") + 1);
    const row = /^\d{1,15}$/.test(id) ? await readChange(Number(id), context) : undefined;
    if (row === undefined) throw recordNotFound(path);
    return redirect(302, changeAddress(row) + suffix, { cacheControl: NO_STORE });
  },
});

/** Records of a change whose names are read; a change can have thousands. */
const NAMED_RECORDS = 200;

async function changePage(row: ChangeRow, context: RequestContext): Promise<Reply> {
  const { id, kind, comment, author, changes, data } = changeEntry(row);
  const known = Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const keys = (changes ?? []).slice(0, NAMED_RECORDS).map(({ key }) => key);
  const names = await readNames(catalogReader(context), keys);
  const mayUndo = changes !== null && hasRole(await context.actor(), "super-librarian");
  return page({
    title: say("history.change", { id, kind: kindName(kind) }),
    body: markup`${factList([
      [say("history.when"), moment(row.created)],
      [say("history.what"), kindName(kind)],
      [say("history.user"), author === null ? undefined : link(addressOf(author.key), author.key)],
      [say("history.comment"), comment],
      ...known,
    ])}
${changes === null ? markup`<p>${say("history.load")}</p>` : changedRecords(changes, names)}
${
  mayUndo &&
  markup`<form method="post" action="${changeAddress(row)}"><p><button>${say("history.undo")}</button></p></form>`
}`,
  });
}

function changedRecords(
  changes: readonly { key: string; revision: number }[],
  names: ReadonlyMap<string, string>,
): Piece {
  return table({
    caption: say("history.changed_records"),
    columns: [say("history.record"), say("history.revision"), say("history.compare")],
    rows: changes.map(({ key, revision }) => {
      const address = addressOf(key);
      const compared = `${address}?m=diff&a=${revision - 1}&b=${revision}`;
      return [
        namedLink(key, names.get(key)),
        link(`${address}?v=${revision}`, revision),
        revision === 1
          ? say("history.created")
          : link(compared, markup`${say("diff.compare")}<span class="unseen"> ${key}</span>`),
      ];
    }),
  });
}
