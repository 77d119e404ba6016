import { Hono } from 'hono';

/**
 * What operators read, on an address of its own, because it needs no credential: `/metrics` in the Prometheus text format, and
 * `/healthz`.
 */
export function adminApp(metrics: () => Promise<{ contentType: string; text: string }>): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) => {
    const { contentType, text } = await metrics();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  return app;
}
