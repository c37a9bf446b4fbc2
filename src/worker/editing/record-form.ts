import type { CatalogRecord } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { errorSummary, field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { FormFailure } from "./form-failures.ts";
import { type MemberField, failedField } from "./form-fields.ts";

/** The page with the form of one record or two. */
interface RecordForm {
  readonly title: string;
  /** Where the form is sent. */
  readonly action: string;
  /** Page of the record. */
  readonly record: string;
  readonly groups: readonly Markup[];
  readonly shown: readonly {
    readonly prefix: string;
    readonly key: string;
    readonly fields: readonly MemberField[];
  }[];
  readonly failures: readonly FormFailure[];
  /** What was sent, when the form is shown again. */
  readonly form: CatalogRecord | undefined;
  /** Whether the record may be deleted here. */
  readonly mayDelete: boolean;
}

/** A complete page; 400 when something is wrong. */
export function recordForm(spec: RecordForm): Reply {
  const { title, action, groups, failures, form, mayDelete } = spec;
  const summary = errorSummary(
    failures.map((failure) => {
      const name = failedField(failure, spec.shown);
      return name === undefined ? { message: failure.message } : { name, message: failure.message };
    }),
  );
  const comment = typeof form?.["_comment"] === "string" ? form["_comment"] : "";
  const note = field({ name: "_comment", label: "What have you changed, and why?", value: comment });
  const remove =
    mayDelete && markup`<p><button type="submit" name="_delete" value="true">Delete</button></p>`;
  const body = markup`<p>${link(spec.record, "Back to the record")} ${pictures(action)}</p>${summary}
<form method="post" action="${action}">
${groups}${note}
<p><button type="submit" name="_save" value="true">Save</button></p>
${remove}
</form>`;
  return page({ title, body, status: failures.length === 0 ? 200 : 400 });
}

/** Where the pictures of the record are: `/books/OL1M/edit` has its covers at `/books/OL1M/manage-covers`. */
function pictures(action: string): Markup {
  const record = action.slice(0, -"/edit".length);
  return record.startsWith("/authors/")
    ? markup`${link(`${record}/manage-photos`, "Photos")} ${link(`${record}/add-photo`, "Add a photo")}`
    : markup`${link(`${record}/manage-covers`, "Covers")} ${link(`${record}/add-cover`, "Add a cover")}`;
}
