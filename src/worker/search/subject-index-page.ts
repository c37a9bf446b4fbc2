import type { Reply } from "../http/reply.ts";
import { chips } from "../ui/chip.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { firstNames } from "../ui/metadata.ts";
import { countTime } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";
import { nameAddressOf, renderJsonLink } from "./result-parts.ts";

type Names = readonly { readonly name: string; readonly key: string; readonly count: number }[];

/** `counted`: time of the counts, in UTC. */
export function subjectIndexPage(
  lists: Readonly<Record<"subjects" | "people" | "places" | "times", Names>>,
  counted: string,
): Reply {
  return page({
    title: t("nav.subjects"),
    metadata: { description: firstNames(t("nav.subjects"), namesIn(lists.subjects)) },
    body: markup`${searchForm("/search/subjects", "search.subject_words")}
${nameSection("nav.subjects", lists.subjects)}
${nameSection("search.people", lists.people)}
${nameSection("search.places", lists.places)}
${nameSection("search.times", lists.times)}
${countTime(counted)}
${renderJsonLink("/subjects.json")}`,
  });
}

export function publisherIndexPage(publishers: Names, counted: string): Reply {
  return page({
    title: t("nav.publishers"),
    metadata: { description: firstNames(t("nav.publishers"), namesIn(publishers)) },
    body: markup`${searchForm("/search/publishers", "search.publisher_words")}
${nameSection("nav.publishers", publishers)}
${countTime(counted)}
${renderJsonLink("/publishers.json")}`,
  });
}

function namesIn(names: Names): string[] {
  return names.map(({ name }) => name);
}

function searchForm(action: string, label: Words): Markup {
  return form({
    action,
    method: "get",
    fields: [{ name: "q", label: t(label), maxlength: 1000 }],
    submit: t("layout.search"),
  });
}

function nameSection(heading: Words, names: Names): Piece {
  const links = chips(names.map(({ name, key, count }) => ({ href: nameAddressOf(key), text: name, count })));
  return section(t(heading), links ?? markup`<p>${t("search.none_yet")}</p>`);
}
