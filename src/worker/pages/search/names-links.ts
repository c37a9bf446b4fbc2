import { PLAIN_WINDOW_MAX } from "../../../db/search/plain/search.ts";
import { SEARCH_PAGE_NAMES } from "../../search-pages/limits.ts";
import { type Parameters, numberedAddress, pageAddress } from "../../search-pages/page-address.ts";
import { type Markup, markup } from "../markup.ts";
import { type PagePlace, jsonLink, placeLinks } from "./parts.ts";

/** A page of a search for names. */
interface NamesPlace extends Pick<PagePlace, "page" | "numFound"> {
  readonly path: string;
  readonly parameters: Parameters;
}

/** Links from a page of a search for names to the others, and to the same for programs. */
export function namesLinks({ path, parameters, page, numFound }: NamesPlace): Markup {
  const place: PagePlace = {
    page,
    numFound,
    size: SEARCH_PAGE_NAMES,
    window: PLAIN_WINDOW_MAX,
    addressOf: (to) => numberedAddress(path, parameters, to),
  };
  return markup`${numFound > 0 && placeLinks(place)}
${jsonLink(pageAddress(`${path}.json`, parameters))}`;
}
