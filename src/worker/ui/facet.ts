import { type Markup, type Piece, markup } from "./markup.ts";
import { number, say } from "./words.ts";

/** One value by which something can be narrowed. */
interface FacetValue {
  readonly href: string;
  readonly text: Piece;
  /** How many have it; undefined where that would not be true. */
  readonly count?: number | undefined;
}

/** Values that are seen at first where there are more than so many and two. */
const FIRST_VALUES = 5;

interface FacetState {
  /** Open at first unless stated. */
  readonly isOpen?: boolean;
  /** What stands above the values. */
  readonly above?: Piece;
}

/** Values of one kind: the first ones, and the others behind a summary of their own. */
export function facet(
  heading: Piece,
  values: readonly FacetValue[],
  { isOpen = true, above }: FacetState = {},
): Markup {
  const first = values.length > FIRST_VALUES + 2 ? FIRST_VALUES : values.length;
  const others = values.slice(first);
  return markup`<details class="facet"${isOpen && markup` open`}><summary>${heading}</summary>
${above}${valueList(values.slice(0, first))}${
    others.length > 0 &&
    markup`<details class="others"><summary>${say("list.more", { count: others.length })}<span class="unseen"> ${heading}</span></summary>${valueList(others)}</details>`
  }</details>`;
}

function valueList(values: readonly FacetValue[]): Markup {
  return markup`<ul>${values.map(
    ({ href, text, count }) =>
      markup`<li><a href="${href}"><span>${text}</span>${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a></li>`,
  )}</ul>`;
}

/** All that narrows, beside what was found: closed at first on small screens, where `summary` opens it. */
export function rail(label: Piece, summary: Piece, content: Piece): Markup {
  return markup`<section class="facets" aria-label="${label}"><details class="rail"><summary class="button">${summary}</summary>
${content}</details></section>`;
}
