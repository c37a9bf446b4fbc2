import { type Markup, forReader, markup } from "./markup.ts";
import { dots, link } from "./parts.ts";
import { t } from "./words.ts";

/**
 * Shows the request that returns the data of a page, its answer, which a script loads when the box is opened, and the
 * entry in the reference: `records#readWork`.
 */
export function apiCall(address: string, entry: string): Markup {
  return markup`<details class="more" data-answer="${address}"><summary>${t("docs.api")}</summary>
<pre dir="ltr" tabindex="0"><code>curl '${forReader(({ base }) => base)}${address.replaceAll("'", "%27")}'</code></pre>
<p class="small">${dots([link(address, t("layout.json")), link(`/docs/${entry}`, t("docs.entry"))])}</p></details>`;
}
