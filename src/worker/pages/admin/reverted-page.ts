import type { Reverted } from "../../admin/revert-edits.ts";
import type { Reply } from "../../reply.ts";
import { markup } from "../markup.ts";
import { addressOf } from "../address.ts";
import { definitions, link, table } from "../parts.ts";
import { adminPage } from "./admin-page.ts";

/** What became of a revert. */
export function revertedPage({ reverted, deleted, kept, failed, finished }: Reverted, back: string): Reply {
  const problems = [...kept.map((key) => ({ key, message: "edited by somebody else since" })), ...failed];
  const body = markup`${!finished && markup`<p>There is more to revert: please do the same again.</p>`}
${definitions([
  ["As before", reverted],
  ["Deleted", deleted],
])}
${
  problems.length > 0 &&
  table({
    caption: "Left as they are",
    columns: ["Record", "Why"],
    rows: problems.map(({ key, message }) => [link(addressOf(key), key), message]),
  })
}
<p><a href="${back}">Back</a></p>`;
  return adminPage({ title: "Reverted", body });
}
