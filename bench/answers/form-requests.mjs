/** Records in all their forms: encodings, revisions, views, spellings of their addresses. */
import { HTML, JSON_TYPE, asked } from "./make.mjs";

/** @import { Asked } from "./lines.mjs" */

const KEYS = [
  "/works/OL101W",
  "/books/OL130M",
  "/authors/OL101A",
  "/series/OL101L",
  "/lists/{{communityList}}",
  "/people/patron/lists/{{list}}",
  "/languages/eng",
  "/people/patron",
  "/usergroup/librarians",
  "/type/edition",
  "/permission/open",
  "/libraries/city",
  "/works/{{work}}",
  "/books/{{edition}}",
  "/books/OL999999M",
  "/nothing/here",
];
const FORMS = [
  "",
  ".json",
  ".yml",
  ".rdf",
  ".opds",
  ".xml",
  "/",
  "/A_slug",
  "?m=history",
  "?m=edit",
  "?m=diff&a=1&b=2",
  ".json?m=history&limit=1",
  ".json?v=1",
  ".json?v=999",
  ".json?callback=f",
  ".json?callback=1x",
  ".json?text=true",
  "?_raw=true",
  "/edit",
];
/** Headers that make another answer of the same address. @type {Record<string, string>[]} */
const CONDITIONS = [
  { "If-None-Match": '"1"' },
  { "If-None-Match": "*" },
  { "If-Modified-Since": "Fri, 22 Nov 2030 12:00:00 GMT" },
  { Range: "bytes=0-9" },
  { Accept: "application/rdf+xml" },
  { Accept: "text/x-yaml" },
  { Origin: "https://elsewhere.example" },
  { "Accept-Language": "de" },
];
const CONDITIONED = [
  "/works/OL101W.json",
  "/works/OL101W",
  "/search.json?q=emma",
  "/covers/b/id/1-M.jpg",
  "/static/x",
  "/",
];
const SPELLINGS = [
  "//works/OL101W.json",
  "/works/OL101W.json/",
  "/works//OL101W",
  "/WORKS/OL101W",
  "/works/ol101w.json",
  "/works/OL101W%2Ejson",
  "/works/OL101W .json".replace(" ", "%20"),
  "/works/%4FL101W",
  "/works/OL101M.json",
  "/books/OL101W",
  "/a/OL101A",
  "/b/OL101M",
  "/w/OL101W",
  "/recentchanges/2030",
  "/recentchanges/2030/11",
  "/recentchanges/2030/11/22.json?limit=3",
  "/recentchanges/2030/11/22/bulk_update.json",
  "/recentchanges/2030/11/22/bulk_update/1",
  "/recentchanges/2030/11/22/bulk_update/1.json",
  "/static/",
  "/%",
  "/%ff",
  "/?x=%ff",
];

/** @returns {Asked[]} */
export function formRequests() {
  const part = "forms";
  const target = KEYS.flatMap((key) => FORMS.map((form) => key + form));
  return [
    ...target.map((one) =>
      asked({ part, target: one, headers: { Accept: /json/.test(one) ? JSON_TYPE : HTML } }),
    ),
    ...SPELLINGS.flatMap((one) =>
      [HTML, JSON_TYPE].map((accept) => asked({ part, target: one, headers: { Accept: accept } })),
    ),
    ...CONDITIONED.flatMap((one) => CONDITIONS.map((headers) => asked({ part, target: one, headers }))),
    ...CONDITIONED.map((one) =>
      asked({ part, target: one, method: "OPTIONS", headers: { Origin: "https://elsewhere.example" } }),
    ),
  ];
}
