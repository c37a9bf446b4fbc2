import { type CatalogRecord, stringsOf, textOf } from "../../catalog/record.ts";
import { firstPicture, picture } from "../ui/cover.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { nameOf, recordLink } from "../ui/names.ts";
import { type Part, partLinks, partText } from "../ui/paging.ts";
import { commas, definitions, link, table } from "../ui/parts.ts";
import { bullets, prose, section, webLink } from "../ui/values.ts";
import { identifierList } from "./record-lists.ts";
import { type RecordView, partPlace } from "./record-page.ts";
import { rowText, webLinks } from "./work-page.ts";

/** What the page of an author shows besides the record. */
interface AuthorContent {
  readonly view: RecordView;
  readonly works: readonly CatalogRecord[];
  /** Editions of those works, by the work's key. */
  readonly editions: ReadonlyMap<string, number>;
  readonly part: Part;
}

/** The body of the page of an author. */
export function authorBody({ view, works, editions, part }: AuthorContent): Markup {
  const { record, row } = view;
  const add = link(`/books/add?${new URLSearchParams({ author: row.key })}`, "Add a book by this author");
  return markup`${picture({ of: "a", id: firstPicture(record["photos"]), size: "M", alt: `Portrait of ${nameOf(record)}` })}
${prose(textOf(record["bio"]))}
${definitions([
  ["Born", textOf(record["birth_date"])],
  ["Died", textOf(record["death_date"])],
  ["Dates", textOf(record["date"])],
  ["Name as catalogued", textOf(record["personal_name"])],
  ["Fuller name", textOf(record["fuller_name"])],
  ["Other names", commas(stringsOf(record["alternate_names"]))],
  ["Title", textOf(record["title"])],
  ["Place", textOf(record["location"])],
])}
<h2 id="works">Works</h2>
${
  works.length === 0
    ? markup`<p>${part.total === 0 ? "There are no works." : "There are no works on this page."}</p>`
    : table({
        caption: partText(part, ["work", "works"]),
        columns: ["Title", "First published", "Editions"],
        rows: works.map((work) => [
          markup`${picture({ of: "b", id: firstPicture(work["covers"]), size: "S", alt: "" })} ${recordLink(work)}`,
          rowText(work["first_publish_date"]),
          editions.get(textOf(work["key"]) ?? "") ?? 0,
        ]),
      })
}
${partLinks(part, { ...partPlace(view), anchor: "works" })}
<p>${add} ${link(`/search?${new URLSearchParams({ author_key: row.key.slice("/authors/".length) })}`, "Search these works")}</p>
${identifierList(record)}
${section("Links", bullets([...webLinks(record), ...website(record)]))}`;
}

function website(record: CatalogRecord): Markup[] {
  return [...stringsOf(record["website"]), ...stringsOf(record["wikipedia"])]
    .filter((address) => address !== "")
    .map((address) => webLink(address));
}
