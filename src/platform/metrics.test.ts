import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('everything that was counted is rendered with its labels', async () => {
  const metrics = createMetrics();
  metrics.measureProcess();
  metrics.countRequest({ method: 'GET', route: '/v1/repositories', status: 200, seconds: 0.002 });
  metrics.countToolCall({ operation: 'code-tool', action: 'usages', outcome: 'unknown_symbol', seconds: 0.01 });
  metrics.countToolCall({ operation: 'code-tool', action: 'grep', outcome: 'ok', seconds: 0.01, freshness: 'behind' });
  metrics.countError({ route: '/v1/tools/:name', code: 'expired_key' });
  metrics.timeIndexStage('extract', 2);
  metrics.countJob({ name: 'repository.sync', outcome: 'done', seconds: 3 });
  metrics.addStreams('sse', 1);
  metrics.addStreams('sse', 1);
  metrics.addStreams('sse', -1);

  const { contentType, body } = await metrics.render();

  expect(contentType).toContain('text/plain');
  expect(body).toContain('http_request_seconds_count{method="GET",route="/v1/repositories",status="200"} 1');
  expect(body).toContain('tool_call_seconds_count{operation="code-tool",action="usages",outcome="unknown_symbol"} 1');
  expect(body).toContain('answers_total{freshness="behind"} 1');
  expect(body).toContain('http_errors_total{route="/v1/tools/:name",code="expired_key"} 1');
  expect(body).toContain('index_stage_seconds_sum{stage="extract"} 2');
  expect(body).toContain('job_seconds_count{name="repository.sync",outcome="done"} 1');
  expect(body).toContain('open_streams{transport="sse"} 1');
  expect(body).toContain('process_resident_memory_bytes');
});

test('two objects count apart', async () => {
  const [metrics, otherMetrics] = [createMetrics(), createMetrics()];
  metrics.timeIndexStage('fetch', 1);

  const { body } = await otherMetrics.render();
  expect(body).not.toContain('stage="fetch"');
  // Nor does a process measure itself for nobody.
  expect(body).not.toContain('nodejs_eventloop_lag');
});
