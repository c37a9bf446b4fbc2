import type { Reply } from "../../http/reply.ts";
import { adminPage } from "../../admin/admin-page.ts";
import { form } from "../../ui/form.ts";

/** The page on which administrators name items to be imported. */
export function addPage(): Reply {
  const body = form({
    action: "/admin/imports/add",
    fields: [
      {
        name: "identifiers",
        label: "Ids of items",
        type: "textarea",
        hint: "One a line. What is queued already, or has been imported, is left out.",
        required: true,
      },
    ],
    submit: "Queue",
  });
  return adminPage({ title: "Import items by their ids", body });
}
