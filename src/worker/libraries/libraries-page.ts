import { branchesOf } from "../../catalog/lending/library.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

/** Group of libraries whose addresses name no country; listed last. */
const NO_COUNTRY = "Elsewhere";

export function librariesPage(records: readonly CatalogRecord[], older: string | undefined): Reply {
  const countries = Map.groupBy(
    records,
    (library) => branchesIn(library).find(({ country }) => country !== "")?.country ?? NO_COUNTRY,
  );
  const names = [...countries.keys()].toSorted(
    (a, b) => Number(a === NO_COUNTRY) - Number(b === NO_COUNTRY) || a.localeCompare(b, "en"),
  );
  const tables = names.map((country) => {
    const name = country === NO_COUNTRY ? t("library.elsewhere") : country;
    return markup`<h2>${name}</h2>
${table({
  caption: t("list.pair", { name: t("nav.libraries"), value: name }),
  columns: [t("library.library"), t("library.town"), t("library.website"), t("library.notes")],
  rows: (countries.get(country) ?? []).map(libraryRow),
})}`;
  });
  const body = markup`<p>${link("/libraries/register", t("library.register_title"))} · ${link("/libraries/locations.txt", t("library.locations"))}</p>
${records.length === 0 && markup`<p>${t("library.none")}</p>`}
${tables}
${pageLinks(undefined, older, { newer: "", older: t("library.more") })}`;
  return page({ title: t("nav.libraries"), body });
}

function libraryRow(library: CatalogRecord): (Markup | string | false)[] {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  // A branch may have nothing but a name.
  const towns = branchesIn(library).flatMap(
    ({ city, state }) => [city, state].filter(Boolean).join(", ") || [],
  );
  const website = textOf(library["website"]) ?? "";
  const notes = markup`<a href="${addressOf(`${key}/notes`)}">${t("library.notes")}<span class="unseen">: ${name}</span></a>`;
  return [
    link(addressOf(key), name),
    [...new Set(towns)].join("; "),
    // Other text, such as `javascript:`, must not become a link.
    /^https?:\/\//i.test(website) && link(website, website),
    notes,
  ];
}

function branchesIn(library: CatalogRecord) {
  return branchesOf(textOf(library["addresses"]) ?? "");
}
