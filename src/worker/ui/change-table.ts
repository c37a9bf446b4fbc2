import { type MemberChange, type TextPart, diffTexts } from "../../catalog/compare.ts";
import { type Json, keyOf, textOf } from "../../catalog/record.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { memberName } from "./names.ts";
import { valueMarkup } from "./values.ts";
import { t } from "./words.ts";

export function changeTable(changes: readonly MemberChange[], earlier: Piece, later: Piece): Markup {
  return markup`<table class="diff"><caption class="unseen">${t("change.what")}</caption>
<thead><tr><th scope="col">${t("change.member")}</th><th scope="col">${earlier}</th><th scope="col">${later}</th></tr></thead>
<tbody>${changes.map(({ name, before, after }) => {
    const [old, now] = markDifferences(before, after);
    return markup`<tr><th scope="row">${memberName(name)}</th><td>${old}</td><td>${now}</td></tr>`;
  })}</tbody></table>`;
}

function markDifferences(before: Json | undefined, after: Json | undefined): readonly [Piece, Piece] {
  const [old, now] = [textOf(before), textOf(after)];
  if (old !== undefined && now !== undefined) {
    const parts = diffTexts(old, now);
    return [markText(parts, "before"), markText(parts, "after")];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [olds, nows] = [new Set(before.map(print)), new Set(after.map(print))];
    return [markList(before, nows, "before"), markList(after, olds, "after")];
  }
  return [markValue(before, "before"), markValue(after, "after")];
}

type Side = "before" | "after";

function mark(content: Piece, side: Side): Markup {
  return side === "before" ? markup`<del>${content}</del>` : markup`<ins>${content}</ins>`;
}

function markText(parts: readonly TextPart[], side: Side): Markup {
  const sideParts = parts.filter(({ kind }) => kind === "same" || kind === side);
  return markup`<p class="lines" dir="auto">${sideParts.map(({ text, kind }) => (kind === "same" ? text : mark(text, side)))}</p>`;
}

function markList(values: readonly Json[], others: ReadonlySet<string>, side: Side): Markup {
  return markup`<ul>${values.map((value) => {
    const text = formatValue(value);
    return markup`<li>${others.has(print(value)) ? text : mark(text, side)}</li>`;
  })}</ul>`;
}

function markValue(value: Json | undefined, side: Side): Piece {
  return value === undefined || value === null ? "–" : mark(formatValue(value), side);
}

/** Formats a value; of an author role only the author. */
function formatValue(value: Json): Piece {
  const role =
    typeof value === "object" && value !== null && !Array.isArray(value) ? value["author"] : undefined;
  return valueMarkup(keyOf(role) === undefined ? value : role);
}

function print(value: Json): string {
  return JSON.stringify(value);
}
