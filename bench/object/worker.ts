// Baseline of patrons' requests: a Hono worker that writes or reads one row of a Durable Object.
import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

export class Bare extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    state.storage.sql.exec("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, data TEXT NOT NULL)");
  }

  write(id: number, data: string): void {
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO entry (id, data) VALUES (?, ?)", id, data);
  }

  read(id: number): string | null {
    const found = this.ctx.storage.sql.exec<{ data: string }>("SELECT data FROM entry WHERE id = ?", id);
    return found.toArray()[0]?.data ?? null;
  }
}

interface Bindings {
  Bindings: { BARE: DurableObjectNamespace<Bare> };
}

const app = new Hono<Bindings>();

app.post("/:object/:id", async (c) => {
  const { object, id } = c.req.param();
  await c.env.BARE.getByName(object).write(Number(id), await c.req.text());
  return c.json({ ok: 1 });
});

app.get("/:object/:id", async (c) => {
  const { object, id } = c.req.param();
  return c.body((await c.env.BARE.getByName(object).read(Number(id))) ?? "null", 200, {
    "Content-Type": "application/json",
  });
});

export default app;
