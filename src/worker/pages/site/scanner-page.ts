import type { Reply } from "../../reply.ts";
import { form } from "../forms.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";

interface Scanner {
  /** Address on this site with `$$$` in the ISBN's place. */
  readonly returnTo: string;
  /** What was typed, and is no ISBN. */
  readonly wrong?: string;
}

/** Scans bar codes by the browser's own means where it has some; without them, and without scripts, ISBNs are typed. */
export function scannerPage({ returnTo, wrong }: Scanner): Reply {
  const title = "Scan a bar code";
  const typed = form({
    action: "/barcodescanner",
    method: "get",
    fields: [
      { name: "returnTo", label: "", type: "hidden", value: returnTo },
      {
        name: "isbn",
        label: "ISBN",
        required: true,
        value: wrong,
        maxlength: 100,
        hint: "The 10 or 13 digits at the bar code on the back of the book",
        ...(wrong === undefined ? {} : { error: "An ISBN has 10 or 13 digits." }),
      },
    ],
    submit: "Find the book",
  });
  const body = markup`<section id="scanner" aria-label="Camera" hidden>
<p>Hold the bar code on the back of the book in front of the camera.</p>
<p><button type="button" id="scan-start">Use the camera</button> <button type="button" id="scan-stop" hidden>Stop</button></p>
<video id="scan-picture" width="480" height="360" playsinline muted hidden aria-label="Picture of the camera"></video>
</section>
<p id="scan-status" role="status"></p>
${typed}`;
  return page({
    title,
    body,
    script: "/static/scanner.js",
    status: wrong === undefined ? 200 : 422,
    headers: { "Permissions-Policy": "camera=(self)" },
  });
}
