import { type Markup, type Piece, markup } from "./markup.ts";
import { number } from "./words.ts";

/** One value by which something can be narrowed. */
interface FacetValue {
  readonly href: string;
  readonly text: Piece;
  /** How many have it; undefined where that would not be true. */
  readonly count?: number | undefined;
}

/** Values of one kind, open at first unless stated. */
export function facet(heading: Piece, values: readonly FacetValue[], isOpen = true): Markup {
  return markup`<details class="facet"${isOpen && markup` open`}><summary>${heading}</summary>
<ul>${values.map(
    ({ href, text, count }) =>
      markup`<li><a href="${href}"><span>${text}</span>${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a></li>`,
  )}</ul></details>`;
}

/** All that narrows, beside what was found: closed at first on small screens, where `summary` opens it. */
export function rail(label: Piece, summary: Piece, content: Piece): Markup {
  return markup`<section class="facets" aria-label="${label}"><details class="rail"><summary class="button">${summary}</summary>
${content}</details></section>`;
}
