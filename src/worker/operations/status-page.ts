import type { Text } from "../../catalog/texts.ts";
import { isBehind, projectionTable, rebuildBar } from "../admin/overview-page.ts";
import type { Reply } from "../http/reply.ts";
import type { ServiceProgress } from "../platform/service-progress.ts";
import { adminPage, dataFacts, dataTable, toKeyedRows, toNamedRows } from "../ui/data-page.ts";
import { page } from "../ui/layout.ts";
import type { Markup } from "../ui/markup.ts";
import { notice } from "../ui/notice.ts";
import { asOfLine, link, paragraph } from "../ui/parts.ts";
import { live, refreshing } from "../ui/progress.ts";
import { type Words, reason, t } from "../ui/words.ts";
import type { DeepStatus, ShownStatus } from "./health.ts";

const VERDICTS: Readonly<Record<ShownStatus["status"], Words>> = {
  ok: "status.ok",
  degraded: "status.degraded",
  failing: "status.failing",
};

export function statusPage(
  state: Omit<ShownStatus, "problems"> &
    Pick<ServiceProgress, "index"> & { readonly problems: readonly Text[] },
  asOf: string,
): Reply {
  const isMoving = isBehind(state);
  const facts = dataFacts(state, {
    software_version: "status.version",
    start_time: "status.started",
    changes: "admin.newest_change",
    features: "status.features",
  });
  const content = [
    asOfLine(asOf),
    rebuildBar(state.index),
    facts,
    dependencyTable(state.dependencies),
    projectionTable(state),
  ];
  return page({
    title: t("status.title"),
    body: [
      verdictNotice(state.status),
      state.problems.map((problem) => paragraph(reason(problem))),
      live("state", isMoving, content),
    ],
    head: refreshing(isMoving),
  });
}

export function deepStatusPage({ status, dependencies, levels }: DeepStatus, asOf: string): Reply {
  return adminPage({
    title: t("status.title_all"),
    parts: [
      verdictNotice(status),
      asOfLine(asOf),
      dependencyTable(dependencies),
      levels === null
        ? paragraph(t("status.not_counted"))
        : dataTable({
            caption: t("status.how_much"),
            members: { name: "status.of", value: "stats.how_many" },
            rows: toNamedRows(levels),
          }),
      paragraph([
        link("/debug/memory", t("status.isolate")),
        " · ",
        link("/debug/backdoor", t("status.settings")),
      ]),
    ],
  });
}

function verdictNotice(verdict: ShownStatus["status"]): Markup {
  return notice(verdict === "ok" ? "good" : "bad", t(VERDICTS[verdict]));
}

function dependencyTable(dependencies: ShownStatus["dependencies"]): Markup {
  return dataTable({
    caption: t("status.dependencies"),
    members: {
      name: "status.dependency",
      ok: [
        "status.answers",
        (ok, { problem }) => t(ok ? "admin.yes" : problem === "late" ? "status.late" : "admin.no"),
      ],
      ms: "status.ms",
      numbers: "status.says",
    },
    rows: toKeyedRows(dependencies),
  });
}
