import type { Reply } from "../../reply.ts";
import { field } from "../forms.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";

/** A wish that was followed by a link from elsewhere, or that must not be made by links. */
export interface Confirmed {
  readonly title: string;
  /** Where the form is sent. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly submit: string;
  /** Address of another site that the form may end at. */
  readonly formsLeadTo: string;
}

/** Asks whether it is really meant, and sends it as a form. */
export function confirmPage({ title, path, fields, submit, formsLeadTo }: Confirmed): Reply {
  const hidden = Object.entries(fields).map(([name, value]) =>
    field({ name, label: "", type: "hidden", value }),
  );
  const body = markup`<p>${title}</p>
<form method="post" action="${path}">${hidden}
<p><button type="submit">${submit}</button></p>
</form>`;
  return page({ title: `${submit}?`, body, formsLeadTo });
}
