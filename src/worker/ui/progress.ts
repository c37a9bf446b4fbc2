import { type Markup, type Piece, markup } from "./markup.ts";
import { number, say } from "./words.ts";

/** How far something is that takes its time. */
interface Progress {
  readonly label: Piece;
  readonly done: number;
  /** Undefined where nobody knows. */
  readonly total?: number | undefined;
}

/** A bar, and what it says. */
export function progress({ label, done, total }: Progress): Markup {
  const most =
    total === undefined ? undefined : markup` max="${Math.max(1, total)}" value="${Math.min(done, total)}"`;
  const text =
    total === undefined ? number(done) : say("progress.of", { done: number(done), total: number(total) });
  return markup`<div class="progress"><p>${label} <span class="soft">${text}</span></p><progress${most} aria-label="${label}"></progress></div>`;
}

/** A part of a page that changes while it is looked at: the script asks for the page every two seconds, and puts it there. */
export function live(id: string, isRunning: boolean, content: Piece): Markup {
  return markup`<div id="${id}"${isRunning && markup` data-live`}>${content}</div>`;
}

/** For the head of such a page: without scripts it is loaded anew. */
export function refreshing(isRunning: boolean): Markup {
  return markup`${isRunning && markup`<noscript><meta http-equiv="refresh" content="5"></noscript>`}`;
}
