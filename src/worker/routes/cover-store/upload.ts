import type { CoverCategory } from "../../../db/covers/rows.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { COVER_BYTES } from "../../covers/check-image.ts";
import { forCategories } from "../../covers/store/categories.ts";
import { UPLOAD_FORM_BYTES, boundedFormData, formText } from "../../covers/store/form-data.ts";
import { backAddress, leadBack, referer } from "../../covers/store/lead-back.ts";
import { isProblem } from "../../covers/store/store-error.ts";
import { type Upload, storeUpload } from "../../covers/store/upload.ts";
import { withRoomForBody } from "../../covers/room.ts";
import { validationFailed } from "../../http/errors.ts";
import type { Reply } from "../../http/reply.ts";

/** `POST /b/upload`: the same for forms of pages, which are led back (lookup.md 6.5). */
export const upload = forCategories((category, noun) =>
  operation({
    id: `upload${noun}CoverByForm`,
    summary: `Stores an image of ${noun === "Author" ? "an author" : `a ${noun.toLowerCase()}`} and leads back to a page`,
    tag: "covers",
    body: {
      contentType: "multipart/form-data",
      description: "`olid`; `file` or `source_url`; `author`; `success_url` and `failure_url`",
    },
    responses: {
      303: {
        description:
          "To `success_url`, or with `errcode` and `errmsg` to `failure_url`; else to the page before",
      },
      422: { description: "`olid` is missing, or too long" },
    },
    handle: (_input, context) => withRoomForBody(context, () => storeAndLeadBack(context, category)),
  }),
);

async function storeAndLeadBack(context: RequestContext, category: CoverCategory): Promise<Reply> {
  const form = await boundedFormData(context.request, COVER_BYTES + UPLOAD_FORM_BYTES);
  const stored = await storeUpload(context, category, await formUpload(form));
  if (!isProblem(stored)) return leadBack(target(context, formText(form, "success_url")));
  const { code, message } = stored;
  const address = target(context, formText(form, "failure_url"));
  return leadBack(address, { errcode: String(code), errmsg: message });
}

function target(context: RequestContext, address: string): string {
  return backAddress(address) ?? referer(context) ?? "/";
}

async function formUpload(form: FormData): Promise<Upload> {
  const olid = formText(form, "olid");
  if (olid === "") {
    throw validationFailed([{ type: "missing", loc: ["body", "olid"], msg: "Field required", input: null }]);
  }
  const file = form.get("file");
  return {
    bytes: file instanceof File ? new Uint8Array(await file.arrayBuffer()) : undefined,
    sourceUrl: formText(form, "source_url"),
    olid,
    author: formText(form, "author"),
    ip: "",
  };
}
