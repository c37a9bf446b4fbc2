import type { RecordRow } from "../../../db/records/read-record.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { link, moment } from "../parts.ts";

/** What people get at the address of a record that was deleted (Q6). */
export function deletedPage({ key, lastModified }: RecordRow): Reply {
  return page({
    title: "This record was deleted",
    status: 404,
    body: markup`<p>${key} was deleted on ${moment(lastModified)}.</p>
<p>${link(`${addressOf(key)}?m=history`, "Who deleted it, and what it was")}</p>
<p>${link("/", "To the start")}</p>`,
  });
}
