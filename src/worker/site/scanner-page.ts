import type { Reply } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { t } from "../ui/words.ts";

/** Renders the scanner, or a form without barcode detector or scripts. `typed` is an invalid ISBN. */
export function scannerPage(returnTo: string, typed?: string): Reply {
  const isbnForm = form({
    action: "/barcodescanner",
    method: "get",
    fields: [
      { name: "returnTo", label: "", type: "hidden", value: returnTo },
      {
        name: "isbn",
        label: "ISBN",
        required: true,
        value: typed,
        maxlength: 100,
        hint: t("scan.hint"),
        ...(typed === undefined ? {} : { error: t("scan.wrong") }),
      },
    ],
    submit: t("scan.find"),
  });
  const body = markup`<section id="scanner" aria-label="${t("scan.camera")}" hidden>
<p>${t("scan.hold")}</p>
<p><button type="button" id="scan-start">${t("scan.start")}</button> <button type="button" id="scan-stop" hidden>${t("scan.stop")}</button></p>
<video id="scan-picture" width="480" height="360" playsinline muted hidden aria-label="${t("scan.picture")}"></video>
</section>
<p id="scan-status" role="status"></p>
${isbnForm}`;
  return page({
    title: t("scan.title"),
    body,
    script: "/static/scanner.js",
    status: typed === undefined ? 200 : 422,
    headers: { "Permissions-Policy": "camera=(self)" },
  });
}
