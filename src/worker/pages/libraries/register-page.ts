import {
  type DetailProblem,
  LIBRARY_NAME_LENGTH_MAX,
  LIBRARY_TEXT_LENGTH_MAX,
  LIBRARY_WORD_LENGTH_MAX,
  type LibraryDetails,
} from "../../../catalog/libraries/registration.ts";
import type { Reply } from "../../reply.ts";
import { type Field, form } from "../forms.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";

interface Refused {
  readonly details: LibraryDetails;
  readonly problems: readonly DetailProblem[];
}

type Described = Omit<Field, "name"> & { readonly name: keyof LibraryDetails };

const FIELDS: readonly Described[] = [
  {
    name: "name",
    label: "Name of the library",
    required: true,
    autocomplete: "organization",
    maxlength: LIBRARY_NAME_LENGTH_MAX,
  },
  {
    name: "addresses",
    label: "Addresses",
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: "A line for each building: name|street|city|state|zip|country|telephone|website|latitude,longitude. Leave empty what you do not know, and keep all eight separators.",
  },
  {
    name: "ip_ranges",
    label: "IP addresses",
    type: "textarea",
    required: true,
    maxlength: LIBRARY_TEXT_LENGTH_MAX,
    hint: "A line for each: 192.0.2.7, 192.0.2.0/24, 192.0.2.1-192.0.2.9 or 192.0.2.*",
  },
  { name: "website", label: "Website", type: "url", maxlength: LIBRARY_WORD_LENGTH_MAX },
  { name: "lending_region", label: "Lending region", maxlength: LIBRARY_WORD_LENGTH_MAX },
  {
    name: "contact_email",
    label: "E-mail address for questions",
    type: "email",
    autocomplete: "email",
    maxlength: LIBRARY_WORD_LENGTH_MAX,
    hint: "Only the administrators see it.",
  },
];

/** The form by which a library registers, again with what is wrong with it. */
export function registerPage(refused?: Refused): Reply {
  const fields = FIELDS.map((field) => filled(field, refused));
  const body = markup`<p>Libraries that take part are listed here. An administrator looks at every registration.</p>
${form({ action: "/libraries/register", fields, submit: "Register" })}`;
  return page({ title: "Register a library", body, status: refused === undefined ? 200 : 422 });
}

function filled(field: Described, refused: Refused | undefined): Field {
  const error = refused?.problems.find((problem) => problem.field === field.name)?.message;
  return { ...field, value: refused?.details[field.name], error };
}
