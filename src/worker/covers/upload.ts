import * as z from "zod";
import type { CoverCategory } from "../../db/covers/read-covers.ts";
import { bodyChunks } from "../http/bytes.ts";
import { validationFailed } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { readByteFields, UPLOAD_FORM_BYTES, readFormData, formText } from "./form-data.ts";
import { backAddress, forCategories, redirectBack, refererOf } from "./categories.ts";
import { type CheckedImage, COVER_BYTES } from "./check-image.ts";
import { withRoomForBody } from "./room.ts";
import {
  type StoreProblem,
  sourceImage,
  BAD_IMAGE,
  NO_IMAGE,
  checkSource,
  isProblem,
  coverStoreError,
  storeProblem,
} from "./source-image.ts";
import { storeCover } from "./store-cover.ts";
import { invalid } from "../http/input-failures.ts";
import { english } from "../../catalog/texts.ts";

/** Maximum length of `olid`, `author` and `ip`, in characters. */
const UPLOAD_TEXT_LENGTH = 200;

/** Image sent to the cover store, with its description; texts are empty if absent. */
interface Upload extends Record<"sourceUrl" | "olid" | "author" | "ip", string> {
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

/** Stores an image; the address takes precedence over the bytes. Returns its number, or the problem. */
async function storeUpload(
  context: RequestContext,
  category: CoverCategory,
  { bytes, sourceUrl, ...texts }: Upload,
): Promise<{ id: number } | StoreProblem> {
  const failures = Object.entries(texts)
    .filter(([, text]) => text.length > UPLOAD_TEXT_LENGTH)
    .map(([name, input]) => {
      const text = { key: "validation.string_max", values: { count: UPLOAD_TEXT_LENGTH } } as const;
      const ctx = { max_length: UPLOAD_TEXT_LENGTH };
      return invalid(["body", name], text, { type: "string_too_long", input, ctx });
    });
  if (failures.length > 0) throw validationFailed(failures);
  let image: CheckedImage | StoreProblem = NO_IMAGE;
  if (sourceUrl !== "") image = await sourceImage(context, sourceUrl);
  else if (bytes !== undefined && bytes.length > 0) image = checkSource(bytes, context);
  if (isProblem(image)) return image;
  const id = await storeCover(context, {
    category,
    image,
    olid: orNull(texts.olid),
    sourceUrl: orNull(sourceUrl),
    author: orNull(texts.author),
    ip: orNull(texts.ip),
  });
  return id === undefined ? BAD_IMAGE : { id };
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}

export const upload = forCategories((category, noun) =>
  operation({
    id: `upload${noun}CoverByForm`,
    summary: `Upload an image of ${noun === "Author" ? "an author" : `a ${noun.toLowerCase()}`} and redirect to a page`,
    tag: "covers",
    body: {
      contentType: "multipart/form-data",
      description: "`olid`; `file` or `source_url`; `author`; `success_url` and `failure_url`",
    },
    responses: {
      303: {
        description:
          "Redirect to `success_url`, or to `failure_url` with `errcode` and `errmsg`; default: the referring page",
      },
      422: { description: "Missing `olid`, or a field that is too long" },
    },
    handle: (_input, context) =>
      withRoomForBody(context, async () => {
        const form = await readFormData(context.request, COVER_BYTES + UPLOAD_FORM_BYTES);
        if (formText(form, "olid") === "") {
          const more = { type: "missing", input: null };
          throw validationFailed([invalid(["body", "olid"], { key: "validation.missing" }, more)]);
        }
        const stored = await storeUpload(context, category, { ...(await toUpload(form, "file")), ip: "" });
        if (!isProblem(stored)) return redirectBack(target(context, formText(form, "success_url")));
        const address = target(context, formText(form, "failure_url"));
        return redirectBack(address, { errcode: String(stored.code), errmsg: english(stored.text) });
      }),
  }),
);

function target(context: RequestContext, address: string): string {
  return backAddress(address) ?? refererOf(context) ?? "/";
}

/** Bytes of a urlencoded form per byte of the image, at most. */
const ESCAPE_FACTOR = 3;

/** Reads the fields of `upload2` from a form of either type. Q410: a urlencoded `data` is bytes too. Throws 413. */
async function readUpload(request: Request): Promise<Upload> {
  const type = request.headers.get("Content-Type") ?? "";
  if (/^\s*multipart\/form-data/i.test(type)) {
    return toUpload(await readFormData(request, COVER_BYTES + UPLOAD_FORM_BYTES), "data");
  }
  const limit = ESCAPE_FACTOR * COVER_BYTES + UPLOAD_FORM_BYTES;
  const fields = await readByteFields(bodyChunks(request.body), limit);
  const text = (name: string) => new TextDecoder().decode(fields.get(name) ?? new Uint8Array()).trim();
  const [sourceUrl, olid] = [text("source_url"), text("olid")];
  return { bytes: fields.get("data"), sourceUrl, olid, author: text("author"), ip: text("ip") };
}

async function toUpload(form: FormData, file: "data" | "file"): Promise<Upload> {
  const data = form.get(file);
  const bytes = data instanceof File ? new Uint8Array(await data.arrayBuffer()) : undefined;
  const [sourceUrl, olid] = [formText(form, "source_url"), formText(form, "olid")];
  return { bytes, sourceUrl, olid, author: formText(form, "author"), ip: formText(form, "ip") };
}

export const upload2 = forCategories((category, noun) =>
  operation({
    id: `upload${noun}Cover`,
    summary: `Upload an image of ${noun === "Author" ? "an author" : `a ${noun.toLowerCase()}`}`,
    tag: "covers",
    body: {
      contentType: "multipart/form-data",
      description:
        "`data` (bytes of the image) or `source_url`, which takes precedence; `olid`, `author`, `ip`",
    },
    responses: {
      200: {
        description: "Number of the new cover; `ok` is a string",
        schema: z.object({ ok: z.literal("true"), id: z.int().describe("Number of the cover") }),
      },
      400: { description: "Codes: 1 image missing, 2 URL not allowed, 3 not an image", schema: storeProblem },
    },
    async handle(_input, context) {
      const stored = await withRoomForBody(context, async () =>
        storeUpload(context, category, await readUpload(context.request)),
      );
      if (isProblem(stored)) throw coverStoreError(stored);
      return json({ ok: "true", id: stored.id }, { cacheControl: NO_STORE });
    },
  }),
);
