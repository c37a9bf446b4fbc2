import { type Entity, toTypeReference } from "../../search/reconcile/entities.ts";
import type { Reply } from "../http/reply.ts";
import { smallPage } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";

export function entityPage({ id, name, description, type }: Entity, address: string): Reply {
  return smallPage({
    title: name,
    body: markup`<h1><a href="${address}" target="_top">${name}</a></h1>
<p>${toTypeReference(type).name} ${id}</p>
${description !== "" && markup`<p>${description}</p>`}`,
  });
}
