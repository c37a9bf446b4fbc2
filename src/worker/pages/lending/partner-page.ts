import type { Reply } from "../../reply.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { link } from "../parts.ts";
import { providerName } from "../provider-name.ts";

/** After how many seconds somebody is led on by himself. */
export const FORWARD_SECONDS = 5;

/** Says that a book is open to everybody elsewhere, and leads there. `url`: as `URL` writes it. */
export function partnerPage({ url, name }: { readonly url: string; readonly name: string }): Reply {
  const body = markup`<p>This book can be read by everybody at another place: ${link(url, providerName(name))}.</p>
<p>You are led there in ${FORWARD_SECONDS} seconds.</p>`;
  return page({
    title: "This book is open elsewhere",
    body,
    headers: { Refresh: `${FORWARD_SECONDS}; url=${url}` },
  });
}
