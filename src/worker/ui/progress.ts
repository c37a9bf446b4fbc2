import { type Markup, type Piece, markup } from "./markup.ts";
import { number, t } from "./words.ts";

interface Progress {
  label: Piece;
  done: number;
  total?: number | undefined;
}

export function progress({ label, done, total }: Progress): Markup {
  const most =
    total === undefined ? undefined : markup` max="${Math.max(1, total)}" value="${Math.min(done, total)}"`;
  const text =
    total === undefined ? number(done) : t("progress.of", { done: number(done), total: number(total) });
  return markup`<div class="progress"><p>${label} <span class="soft">${text}</span></p><progress${most} aria-label="${label}"></progress></div>`;
}

/** Makes a part of a page that the script replaces with the events of the address while `isRunning`. */
export function live(id: string, isRunning: boolean, content: Piece): Markup {
  return markup`<live-part id="${id}"${isRunning && markup` data-live`}>${content}</live-part>`;
}

export function livePartOf(text: string): string | undefined {
  return /<live-part [^]*?<\/live-part>/.exec(text)?.[0];
}

/** Makes the head of a page with a live part: without scripts, it reloads every 5 seconds. */
export function refreshing(isRunning: boolean): Markup {
  return markup`${isRunning && markup`<noscript><meta http-equiv="refresh" content="5"></noscript>`}`;
}

/** Makes the link that updates a live page without scripts while it does not reload by itself. */
export function refreshLink(isRunning: boolean, address: string): Markup {
  return markup`${!isRunning && markup`<noscript><p><a href="${address}">${t("progress.refresh")}</a></p></noscript>`}`;
}
