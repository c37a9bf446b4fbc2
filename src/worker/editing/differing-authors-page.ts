import { lastSegmentOf } from "../../catalog/keys.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Piece, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

export const DIFFERING_ADDRESS = "/merges/differing-authors";

interface Named {
  readonly key: string;
  readonly name: string;
}

interface Worklist {
  readonly entries: readonly {
    readonly key: string;
    readonly title: string;
    readonly work: string;
    readonly authors: readonly Named[];
    readonly work_authors: readonly Named[];
  }[];
  readonly next: string | undefined;
}

/** Renders the worklist. `next`: query of the next page. */
export function differingAuthorsPage({ entries, next }: Worklist): Reply {
  const rows = entries.map(({ key, title, work, authors, work_authors: workAuthors }) => [
    link(`${addressOf(key)}/edit`, title === "" ? lastSegmentOf(key) : markup`<bdi>${title}</bdi>`),
    authorLinks(authors),
    link(addressOf(work), lastSegmentOf(work)),
    authorLinks(workAuthors),
  ]);
  const columns = [
    "imports.edition",
    "differ.edition_authors",
    "member.works",
    "differ.work_authors",
  ] as const;
  const list =
    rows.length === 0
      ? markup`<p>${t("differ.none")}</p>`
      : table({ caption: t("differ.title"), columns: columns.map((name) => t(name)), rows });
  const more = next === undefined ? undefined : `${DIFFERING_ADDRESS}?${next}`;
  return page({ title: t("differ.title"), body: markup`${list}${pageLinks(undefined, more)}` });
}

function authorLinks(authors: readonly Named[]): Piece {
  return commas(authors.map(({ key, name }) => link(addressOf(key), markup`<bdi>${name}</bdi>`)));
}
