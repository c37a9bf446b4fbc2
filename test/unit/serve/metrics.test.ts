import { afterEach, expect, it, vi } from "vitest";
import { ServiceMetrics } from "../../../scripts/lib/serve/metrics.ts";
import type { Target } from "../../../scripts/lib/service.ts";

afterEach(() => void vi.useRealTimers());

const point = (texts: readonly string[], numbers: readonly number[]): object => ({
  indexes: [texts[0]],
  blobs: texts,
  doubles: numbers,
});

const serviceWith = (status: object): Target => ({
  url: "https://carrel.test",
  token: "operator",
  fetch: () => Promise.resolve(Response.json(status)),
});

async function linesOf(metrics: ServiceMetrics, target: Target | undefined): Promise<string[]> {
  const text = await metrics.text(target, "/");
  return text.split("\n").filter((line) => line.startsWith("carrel_") && !line.includes("_bucket"));
}

it("counts what the worker does", async () => {
  const metrics = new ServiceMetrics();
  const request = point(["request", "readWork", "GET", "200", "made"], [20]);
  for (const one of [request, request, point(["request", "", "GET", "404", "none"], [1])]) metrics.take(one);
  metrics.take(point(["queue", "carrel-index", "done"], [250, 3, 7]));
  metrics.take(point(["sweep", "trends", "failed"], [1000]));
  metrics.take(point(["failure", "mail"], [1]));
  for (const odd of [null, "text", {}, { blobs: ["level", "x"], doubles: [1] }]) metrics.take(odd);
  metrics.countUnanswered();
  expect(await linesOf(metrics, undefined)).toEqual(
    expect.arrayContaining([
      'carrel_requests_total{operation="readWork",method="GET",status="200",source="made"} 2',
      'carrel_requests_total{operation="none",method="GET",status="404",source="none"} 1',
      'carrel_request_duration_seconds_sum{operation="readWork"} 0.04',
      'carrel_job_duration_seconds_sum{kind="queue",name="carrel-index",outcome="done"} 0.25',
      'carrel_queue_messages_total{queue="carrel-index",outcome="done"} 3',
      'carrel_queue_backlog_messages{queue="carrel-index"} 7',
      'carrel_job_duration_seconds_count{kind="sweep",name="trends",outcome="failed"} 1',
      'carrel_errors_total{event="mail"} 1',
      "carrel_unanswered_requests_total 1",
      'carrel_status{status="unknown"} 1',
    ]),
  );
});

it("reports the state of the service", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const metrics = new ServiceMetrics();
  const target = serviceWith({
    status: "degraded",
    dependencies: { catalog: { ok: true, ms: 20 }, solr: { ok: false, ms: 5000 } },
    levels: { behind_search: 4, catalog_bytes: 4096, catalog_percent: 1, imports_waiting: 2 },
  });
  expect(await linesOf(metrics, target)).toEqual(
    expect.arrayContaining([
      'carrel_status{status="degraded"} 1',
      'carrel_dependency_up{dependency="catalog"} 1',
      'carrel_dependency_up{dependency="solr"} 0',
      'carrel_dependency_duration_seconds{dependency="solr"} 5',
      'carrel_projection_behind_changes{projection="search"} 4',
      'carrel_database_bytes{database="catalog"} 4096',
      'carrel_level{name="imports_waiting"} 2',
    ]),
  );
  const recovered = serviceWith({ status: "ok", dependencies: {}, levels: null });
  // The checks write into the stores: they are not made for every request.
  expect(await linesOf(metrics, recovered)).toContain('carrel_status{status="degraded"} 1');
  vi.setSystemTime(Date.now() + 10_000);
  const lines = await linesOf(metrics, recovered);
  expect(lines.filter((line) => line.startsWith("carrel_status"))).toEqual([
    'carrel_status{status="ok"} 1',
    'carrel_status{status="degraded"} 0',
    'carrel_status{status="failing"} 0',
    'carrel_status{status="unknown"} 0',
  ]);
});
