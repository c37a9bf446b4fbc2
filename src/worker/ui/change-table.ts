import { type MemberChange, type TextPart, textDiff } from "../../catalog/compare.ts";
import { type Json, keyOf, textOf } from "../../catalog/record.ts";
import { type Markup, type Piece, markup } from "./markup.ts";
import { memberName } from "./members.ts";
import { valueMarkup } from "./values.ts";
import { say } from "./words.ts";

/** What differs between two states of a record, member by member, side by side. */
export function changeTable(changes: readonly MemberChange[], earlier: Piece, later: Piece): Markup {
  return markup`<table class="diff"><caption class="unseen">${say("change.what")}</caption>
<thead><tr><th scope="col">${say("change.member")}</th><th scope="col">${earlier}</th><th scope="col">${later}</th></tr></thead>
<tbody>${changes.map(({ name, before, after }) => {
    const [old, now] = bothSides(before, after);
    return markup`<tr><th scope="row">${memberName(name)}</th><td>${old}</td><td>${now}</td></tr>`;
  })}</tbody></table>`;
}

/** Both values, with what only one of them has marked. */
function bothSides(before: Json | undefined, after: Json | undefined): readonly [Piece, Piece] {
  const [old, now] = [textOf(before), textOf(after)];
  if (old !== undefined && now !== undefined) {
    const parts = textDiff(old, now);
    return [markedText(parts, "before"), markedText(parts, "after")];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [olds, nows] = [new Set(before.map(print)), new Set(after.map(print))];
    return [markedList(before, nows, "before"), markedList(after, olds, "after")];
  }
  return [marked(before, "before"), marked(after, "after")];
}

type Side = "before" | "after";

function mark(content: Piece, side: Side): Markup {
  return side === "before" ? markup`<del>${content}</del>` : markup`<ins>${content}</ins>`;
}

function markedText(parts: readonly TextPart[], side: Side): Markup {
  const own = parts.filter(({ kind }) => kind === "same" || kind === side);
  return markup`<p class="lines" dir="auto">${own.map(({ text, kind }) => (kind === "same" ? text : mark(text, side)))}</p>`;
}

function markedList(values: readonly Json[], others: ReadonlySet<string>, side: Side): Markup {
  return markup`<ul>${values.map((value) => {
    const shown = shownValue(value);
    return markup`<li>${others.has(print(value)) ? shown : mark(shown, side)}</li>`;
  })}</ul>`;
}

function marked(value: Json | undefined, side: Side): Piece {
  return value === undefined || value === null ? "–" : mark(shownValue(value), side);
}

/** A role names its author and nothing else that people look for. */
function shownValue(value: Json): Piece {
  const role =
    typeof value === "object" && value !== null && !Array.isArray(value) ? value["author"] : undefined;
  return valueMarkup(keyOf(role) === undefined ? value : role);
}

function print(value: Json): string {
  return JSON.stringify(value);
}
