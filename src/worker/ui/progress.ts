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

/** A part of a page that changes while it is looked at: the script puts there what the address sends of it as events. */
export function live(id: string, isRunning: boolean, content: Piece): Markup {
  return markup`<live-part id="${id}"${isRunning && markup` data-live`}>${content}</live-part>`;
}

/** What a page's text has of such a part; undefined: it has none. */
export function livePartOf(text: string): string | undefined {
  return /<live-part [^]*?<\/live-part>/.exec(text)?.[0];
}

/** For the head of such a page: without scripts it is loaded anew. */
export function refreshing(isRunning: boolean): Markup {
  return markup`${isRunning && markup`<noscript><meta http-equiv="refresh" content="5"></noscript>`}`;
}
