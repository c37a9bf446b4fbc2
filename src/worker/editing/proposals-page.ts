import type { CatalogRecord } from "../../catalog/record.ts";
import { compareMembers } from "../../catalog/compare.ts";
import { type Proposal, PROPOSAL_STATES } from "../../db/editing/proposals.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { changeTable } from "../ui/change-table.ts";
import { choiceForm, dataFacts, dataTable } from "../ui/data-page.ts";
import { field } from "../ui/form.ts";
import { memberName, namedLink } from "../ui/names.ts";
import { notice } from "../ui/notice.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link, paragraph } from "../ui/parts.ts";
import { tabs } from "../ui/tabs.ts";
import { t } from "../ui/words.ts";

const STATE_WORDS = {
  open: "merge.open",
  accepted: "proposal.accepted",
  declined: "merge.declined",
  withdrawn: "proposal.withdrawn",
} as const;

export function proposalsPage(
  { size, entries }: { size: number; entries: readonly Proposal[] },
  { state, page: current, limit }: { state: Proposal["state"]; page: number; limit: number },
): Reply {
  const address = (to: Proposal["state"], page = 1): string =>
    `/proposals?state=${to}&page=${page}&limit=${limit}`;
  const states = PROPOSAL_STATES.map((name) => {
    return { href: address(name), text: t(STATE_WORDS[name]), isCurrent: name === state };
  });
  return accountPage({
    title: t("proposal.title"),
    body: [
      tabs(t("merge.which"), states),
      dataTable({
        caption: t("proposal.title"),
        members: {
          id: ["merge.number", (id) => link(`/proposals/${id}`, String(id))],
          key: ["history.record", (key) => namedLink(key, undefined)],
          changes: ["change.what", (changes) => commas(Object.keys(changes).map(memberName))],
          submitter: "history.user",
          comment: ["history.comment", (comment) => comment],
          updated: "merge.updated",
        },
        rows: entries,
        none: "proposal.none",
      }),
      pageLinks(
        current > 1 ? address(state, current - 1) : undefined,
        current * limit < size ? address(state, current + 1) : undefined,
      ),
    ],
  });
}

interface ShownProposal extends Proposal {
  readonly current: CatalogRecord;
  readonly current_revision: number;
}

export function proposalPage(
  proposal: ShownProposal,
  { isOwn, isReviewer }: { isOwn: boolean; isReviewer: boolean },
): Reply {
  const { id, current, changes, state } = proposal;
  const isOpen = state === "open";
  const isOutdated = isOpen && proposal.current_revision !== proposal.revision;
  const decisions = {
    ...(isReviewer && !isOutdated && { accept: "proposal.accept" as const }),
    ...(isReviewer && { decline: "proposal.decline" as const }),
    ...(isOwn && { withdraw: "proposal.withdraw" as const }),
  };
  const note = { name: "note", label: t("proposal.note"), value: "" };
  return accountPage({
    title: t("proposal.one", { id: String(id) }),
    body: [
      isOutdated && notice("bad", t("proposal.outdated")),
      dataFacts(proposal, {
        key: ["history.record", (key) => namedLink(key, undefined)],
        state: ["merge.status", (name) => t(STATE_WORDS[name])],
        submitter: "history.user",
        comment: ["history.comment", (comment) => comment],
        reviewer: "merge.reviewer",
        note: ["proposal.note", (text) => text],
        created: "history.when",
      }),
      changeTable(compareMembers(current, changes), t("proposal.now"), t("proposal.proposed")),
      isOpen &&
        choiceForm(`/proposals/${id}`, {
          name: "decision",
          values: decisions,
          content: isReviewer && field(note),
        }),
      paragraph(link("/proposals", t("proposal.title"))),
    ],
  });
}
