import { expect, test } from 'vitest';
import { createMetrics } from '../platform/metrics.ts';
import { adminApp } from './admin.ts';

test('metrics are served as Prometheus reads them', async () => {
  const metrics = createMetrics();
  metrics.countToolCall({ operation: 'code-tool', action: 'usages', outcome: 'ok', seconds: 0.002 });

  const response = await adminApp(metrics).request('/metrics');

  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(await response.text()).toContain(
    'tool_call_seconds_count{operation="code-tool",action="usages",outcome="ok"} 1',
  );
});
