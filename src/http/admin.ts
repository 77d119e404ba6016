import { Hono } from 'hono';
import type { Metrics } from '../platform/metrics.ts';

/**
 * Application for operators, on an address of its own, because it needs no credential: `/metrics` in the Prometheus text
 * format, and `/healthz`.
 */
export function adminApp(metrics: Pick<Metrics, 'render'>): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) => {
    const { contentType, body } = await metrics.render();
    return c.body(body, 200, { 'Content-Type': contentType });
  });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  return app;
}
