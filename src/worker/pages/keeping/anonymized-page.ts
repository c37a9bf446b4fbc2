import type { Anonymized } from "../../keeping/start-removal.ts";
import type { Reply } from "../../http/reply.ts";
import { adminPage } from "../../admin/admin-page.ts";
import { markup } from "../../ui/markup.ts";
import { definitions, link } from "../../ui/parts.ts";

/** What an administrator is told of the removal of an account. */
export function anonymizedPage(result: Anonymized): Reply {
  const body = markup`${definitions([
    ["Stays counted under", result.new_username],
    ["Books on shelves", result.bookshelves_count],
    ["Ratings", result.ratings_count],
    ["Observations", result.observations_count],
    ["Awards", result.bestbooks_count],
    ["Merge requests", result.merge_request_count],
    ["Notes, which are deleted", result.booknotes_count],
  ])}
<p>${link("/admin/people", "All accounts")}</p>`;
  return adminPage({ title: "Removal of an account", body });
}
