import { operation } from "../http/operation.ts";
import { form, select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { searchKinds } from "./result-parts.ts";

/** How long browsers may keep the form, in seconds. */
const ADVANCED_SECONDS = 3600;

const FIELDS = [
  ["title", "Title"],
  ["author", "Author"],
  ["isbn", "ISBN"],
  ["subject", "Subject"],
  ["place", "Place that the book is about"],
  ["person", "Person that the book is about"],
  ["time", "Time that the book is about"],
  ["publisher", "Publisher"],
  ["first_publish_year", "Year of first publication"],
  ["language", "Code of the language, such as eng or fre"],
  ["lccn", "Number of the Library of Congress (LCCN)"],
  ["oclc", "OCLC number"],
] as const;

/** `GET /advancedsearch`: a form that leads to `/search`, with a field for everything that works are mostly searched by. */
export const advancedSearch = operation({
  id: "advancedSearch",
  summary: "A form for searching works by title, author, subject and more",
  tag: "search",
  responses: { 200: { description: "The form", contentType: "text/html" } },
  handle: () =>
    page({
      title: "Advanced search",
      body: markup`${searchKinds("/advancedsearch", "")}
<p>All that is filled in has to hold. Empty fields count for nothing.</p>
${form({
  action: "/search",
  method: "get",
  fields: [
    { name: "q", label: "Words anywhere", maxlength: 1000 },
    ...FIELDS.map(([name, label]) => ({ name, label, maxlength: 1000 })),
  ],
  submit: "Search",
  more: select({
    name: "has_fulltext",
    label: "Reading",
    chosen: "",
    options: [
      ["", "All books"],
      ["true", "Can be read or borrowed"],
      ["false", "Cannot be read or borrowed"],
    ],
  }),
})}`,
      cacheControl: `public, max-age=${ADVANCED_SECONDS}`,
    }),
});
