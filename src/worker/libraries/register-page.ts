import {
  type LibraryDetails,
  LIBRARY_NAME_LENGTH_MAX,
  LIBRARY_TEXT_LENGTH_MAX,
  LIBRARY_WORD_LENGTH_MAX,
} from "../../catalog/lending/library.ts";
import type { Failure } from "../http/failure.ts";
import type { Reply } from "../http/reply.ts";
import { type InputField, form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";

const ADDRESS_LINE = "name|street|city|state|zip|country|telephone|website|latitude,longitude";

const FIELDS: readonly (InputField & { name: keyof LibraryDetails })[] = [
  {
    name: "name",
    label: t("library.name"),
    required: true,
    autocomplete: "organization",
    maxlength: LIBRARY_NAME_LENGTH_MAX,
  },
  {
    name: "addresses",
    label: t("library.addresses"),
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: t("library.addresses_hint", { format: markup`<code dir="ltr">${ADDRESS_LINE}</code>` }),
  },
  {
    name: "ip_ranges",
    label: t("library.ip"),
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: t("library.ip_hint", {
      examples: markup`<code dir="ltr">192.0.2.7, 192.0.2.0/24, 192.0.2.1-192.0.2.9, 192.0.2.*</code>`,
    }),
  },
  { name: "website", label: t("library.website"), type: "url", maxlength: LIBRARY_WORD_LENGTH_MAX },
  { name: "lending_region", label: t("library.region"), maxlength: LIBRARY_WORD_LENGTH_MAX },
  {
    name: "contact_email",
    label: t("library.email"),
    type: "email",
    autocomplete: "email",
    maxlength: LIBRARY_WORD_LENGTH_MAX,
    hint: t("library.email_hint"),
  },
];

export function registerPage(details?: LibraryDetails, refusal?: Failure): Reply {
  const fields = FIELDS.map((field) => Object.assign({ value: details?.[field.name] }, field));
  const body = markup`<p>${t("library.intro")}</p>
${form({ action: "/libraries/register", fields, submit: t("library.register"), refusal })}`;
  return page({ title: t("library.register_title"), body });
}

export function registeredPage(name: string): Reply {
  const body = markup`<p>${t("library.thanks_text", { name })}</p><p>${link("/libraries", t("library.all"))}</p>`;
  return page({ title: t("library.thanks"), body, status: 201 });
}
