import type { SupervisionMetrics } from './supervision.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets from a look-up in memory to the limit of a call, 45 s. */
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 45];

/** Buckets from a small file to a large repository. */
const STAGE_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];

type UnhandledKind = 'rejection' | 'exception';

/** A value that is read when the metrics are, with its labels. */
export interface Reading {
  labels: Record<string, string>;
  value: number;
}

/** A gauge whose values are read when the metrics are. */
interface ReadGauge {
  name: string;
  help: string;
  labelNames: readonly string[];
  /** Returns all values of now; what it returned before is forgotten. Must not fail. */
  read: () => Promise<readonly Reading[]>;
}

/** A call of an operation that has ended. */
interface ToolCallCount {
  operation: string;
  action: string;
  outcome: string;
  seconds: number;
  /** State of the index that the answer is from, as in its JSON form; absent for answers about no repository. */
  freshness?: string;
}

/** Metrics of this process, in the text format of Prometheus. */
export interface Metrics extends SupervisionMetrics {
  /** `http_request_seconds` (its `_count` is the number), by method, route pattern (never the raw path) and status. */
  countRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  /** `http_errors_total`, by route pattern and code of the error: refused keys and locked sign-ins among them. */
  countError(error: { route: string; code: string }): void;
  /**
   * `tool_call_seconds`. `outcome` is `ok` or the code of the error. An answer about a repository is counted in `answers_total` by the
   * state of its index as well.
   */
  countToolCall(call: ToolCallCount): void;
  /** `index_stage_seconds`: `stage` is `fetch`, `extract`, `resolve`, `build` and the like. */
  timeIndexStage(stage: string, seconds: number): void;
  /** `job_seconds`. `outcome` is `done`, `failed` or `stopped`. */
  countJob(job: { name: string; outcome: string; seconds: number }): void;
  /** `embedded_texts_total`: texts of code that an embedding service was sent. */
  countEmbedded(texts: number): void;
  /** `encoded_texts_total`: texts of what people write that were encoded. */
  countEncoded(texts: number): void;
  /** `open_streams` by transport: call with 1 when one opens and with -1 when it ends. */
  addStreams(transport: string, change: 1 | -1): void;
  /** `unhandled_errors_total`: failures that no code expected, by `kind`: `rejection` or `exception`. */
  countUnhandled(kind: UnhandledKind): void;
  /** Adds the figures of the process (memory, processor, lag of the event loop). Measuring the lag wakes the process a hundred times a second. */
  measureProcess(): void;
  /** Adds a gauge that is read when the metrics are rendered. */
  addGauge(gauge: ReadGauge): void;
  /** All of the above. */
  render(): Promise<{ contentType: string; body: string }>;
}

/** Begins to count. One object per process; nothing is shared with another one. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Time of HTTP requests to the first byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: CALL_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'http_errors_total',
    help: 'HTTP answers that are an error, by route and code: refused keys and locked sign-ins among them.',
    labelNames: ['route', 'code'],
    registers,
  });
  const { stages, jobs, streams, embedded, encoded } = backgroundMetrics(registers);
  const { ended, down, unhandled } = faultMetrics(registers);
  return {
    countRequest: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    countError: ({ route, code }) => errors.inc({ route, code }),
    countToolCall: toolCallMetrics(registers),
    timeIndexStage: (stage, seconds) => stages.observe({ stage }, seconds),
    countJob: ({ name, outcome, seconds }) => jobs.observe({ name, outcome }, seconds),
    countEmbedded: (texts) => embedded.inc(texts),
    countEncoded: (texts) => encoded.inc(texts),
    addStreams: (transport, change) => streams.inc({ transport }, change),
    countEnded: (part, reason) => ended.inc({ part, reason }),
    setDown: (part, isDown) => down.set({ part }, isDown ? 1 : 0),
    countUnhandled: (kind) => unhandled.inc({ kind }),
    measureProcess: () => collectDefaultMetrics({ register }),
    addGauge: (gauge) => addGauge(registers, gauge),
    render: async () => ({ contentType: register.contentType, body: await register.metrics() }),
  };
}

function toolCallMetrics(registers: Registry[]): Metrics['countToolCall'] {
  const calls = new Histogram({
    name: 'tool_call_seconds',
    help: 'Time of calls of the operations.',
    labelNames: ['operation', 'action', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  const answers = new Counter({
    name: 'answers_total',
    help: 'Answers about a repository, by the state of its index.',
    labelNames: ['freshness'],
    registers,
  });
  return ({ operation, action, outcome, seconds, freshness }) => {
    calls.observe({ operation, action, outcome }, seconds);
    if (freshness !== undefined) answers.inc({ freshness });
  };
}

function addGauge(registers: Registry[], { name, help, labelNames, read }: ReadGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers,
    collect: async () => {
      const readings = await read();
      gauge.reset();
      for (const { labels, value } of readings) gauge.set(labels, value);
    },
  });
}

function backgroundMetrics(registers: Registry[]): {
  stages: Histogram<'stage'>;
  jobs: Histogram<'name' | 'outcome'>;
  streams: Gauge<'transport'>;
  embedded: Counter;
  encoded: Counter;
} {
  return {
    stages: new Histogram({
      name: 'index_stage_seconds',
      help: 'Time of the stages of indexing a repository.',
      labelNames: ['stage'],
      buckets: STAGE_SECONDS,
      registers,
    }),
    jobs: new Histogram({
      name: 'job_seconds',
      help: 'Time of background jobs.',
      labelNames: ['name', 'outcome'],
      buckets: STAGE_SECONDS,
      registers,
    }),
    streams: new Gauge({
      name: 'open_streams',
      help: 'Event streams that are open now.',
      labelNames: ['transport'],
      registers,
    }),
    embedded: new Counter({
      name: 'embedded_texts_total',
      help: 'Texts of code that were sent to an embedding service.',
      registers,
    }),
    encoded: new Counter({
      name: 'encoded_texts_total',
      help: 'Texts of what people write that were encoded, to be compared by meaning.',
      registers,
    }),
  };
}

function faultMetrics(registers: Registry[]): {
  ended: Counter<'part' | 'reason'>;
  down: Gauge<'part'>;
  unhandled: Counter<'kind'>;
} {
  return {
    ended: new Counter({
      name: 'workers_ended_total',
      help: 'Threads and processes of the service that ended unexpectedly.',
      labelNames: ['part', 'reason'],
      registers,
    }),
    down: new Gauge({
      name: 'workers_down',
      help: 'Whether no thread or process of a part can work at this moment.',
      labelNames: ['part'],
      registers,
    }),
    unhandled: new Counter({
      name: 'unhandled_errors_total',
      help: 'Failures that no code expected; each is a bug, and its stack is in the log.',
      labelNames: ['kind'],
      registers,
    }),
  };
}
