import { type Markup, type Piece, markup } from "./markup.ts";
import { number, t } from "./words.ts";

interface FacetValue {
  href: string;
  text: Piece;
  /** Undefined if the count would be wrong. */
  count?: number | undefined;
}

/** Values that are visible at first, if there are more than two others. */
const FIRST_VALUES = 5;

export function facet(
  heading: Piece,
  values: readonly FacetValue[],
  { isOpen = true, above }: { isOpen?: boolean; above?: Piece } = {},
): Markup {
  const first = values.length > FIRST_VALUES + 2 ? FIRST_VALUES : values.length;
  const others = values.slice(first);
  return markup`<details class="facet"${isOpen && markup` open`}><summary>${heading}</summary>
${above}${valueList(values.slice(0, first))}${
    others.length > 0 &&
    markup`<details class="others"><summary>${t("list.more", { count: others.length })}<span class="unseen"> ${heading}</span></summary>${valueList(others)}</details>`
  }</details>`;
}

function valueList(values: readonly FacetValue[]): Markup {
  return markup`<ul>${values.map(
    ({ href, text, count }) =>
      markup`<li><a href="${href}"><span>${text}</span>${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a></li>`,
  )}</ul>`;
}

/** Makes the column of facets beside results: closed at first on small screens, where `summary` opens it. */
export function rail(label: Piece, summary: Piece, content: Piece): Markup {
  return markup`<section class="facets" aria-label="${label}"><details class="rail"><summary class="button">${summary}</summary>
${content}</details></section>`;
}
