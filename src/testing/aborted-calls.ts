/** The ways a call can come in: REST, Streamable HTTP and the legacy event stream. */
export const DOORS = ['rest', 'http', 'sse'] as const;
export type Door = (typeof DOORS)[number];

/** A call of an operation that takes some work. */
export interface SampleCall {
  operation: string;
  args: Record<string, unknown>;
}

/** Address of calls, and the API key that they carry. */
export interface CallTarget {
  url: string;
  key: string;
}

/** Calls of every operation about a repository, those of agents and workflows with all that they can do. */
export const SAMPLE_CALLS: readonly SampleCall[] = [
  { operation: 'code-tool', args: { action: 'map' } },
  { operation: 'code-tool', args: { action: 'usages', query: 'sendMail' } },
  { operation: 'code-tool', args: { action: 'semantic_search', query: 'retry a failed mail' } },
  { operation: 'commit-tool', args: { action: 'hotspots' } },
  { operation: 'search-tool', args: { query: 'retry mail' } },
  { operation: 'document-search-tool', args: { action: 'search', query: 'mail' } },
  { operation: 'competitor-tool', args: { action: 'changes' } },
  { operation: 'entity-analysis-tool', args: { action: 'map' } },
  { operation: 'spec-export-tool', args: {} },
  { operation: 'record-decision-tool', args: { title: 'Retry mails', decision: 'Three times', dry_run: true } },
  { operation: 'ask_codeIntelligenceAgent', args: { message: 'How does sendMail retry, and why?', effort: 'deep' } },
  { operation: 'ask_productInsightsAgent', args: { message: 'What do customers say about mails?', effort: 'deep' } },
  {
    operation: 'ask_architectureInvestigationAgent',
    args: { message: 'How are the layers of this repository connected?', effort: 'deep' },
  },
  {
    operation: 'run_bugAnalysisWorkflow',
    args: { report: 'TypeError: to is undefined\n    at sendMail (src/mail.ts:3:10)' },
  },
  {
    operation: 'run_deepResearchWorkflow',
    args: { question: 'Why are mails sent twice, and what is planned against it?', effort: 'deep' },
  },
];

/** Makes a call and closes the connection after so long; a call that ends before is `answered`. */
export async function abortCall(
  target: CallTarget,
  door: Door,
  { call, afterMs }: { call: SampleCall; afterMs: number },
): Promise<'aborted' | 'answered'> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), afterMs);
  try {
    await makeCall(target, door, { call, signal: abort.signal });
    return 'answered';
  } catch (error) {
    if (abort.signal.aborted) return 'aborted';
    throw error;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

/** Makes a call through a door and returns the text of its answer. @throws the signal's reason when it aborts. */
export async function makeCall(
  target: CallTarget,
  door: Door,
  { call, signal }: { call: SampleCall; signal: AbortSignal },
): Promise<string> {
  const { operation, args } = call;
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: operation, arguments: args } };
  if (door === 'rest') return post(target, `/v1/tools/${operation}`, { body: args, signal });
  if (door === 'http') return post(target, '/v1/mcp', { body: message, signal });
  return callOverStream(target, { message, signal });
}

async function post(
  { url, key }: CallTarget,
  path: string,
  { body, signal }: { body: unknown; signal: AbortSignal },
): Promise<string> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${path} was answered with ${response.status}: ${text}`);
  return text;
}

/** Opens an event stream, sends the message to it, and reads until its answer. Closing the stream ends the call. */
async function callOverStream(
  target: CallTarget,
  { message, signal }: { message: unknown; signal: AbortSignal },
): Promise<string> {
  const stream = await fetch(new URL('/v1/mcp/sse', target.url), {
    headers: { authorization: `Bearer ${target.key}`, accept: 'text/event-stream' },
    signal,
  });
  if (stream.body === null) throw new Error(`The stream was answered with ${stream.status}.`);
  let text = '';
  let isSent = false;
  for await (const part of stream.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const endpoint = /data: (\S+sessionId=\S+)\r?\n/.exec(text)?.[1];
    if (!isSent && endpoint !== undefined) {
      isSent = true;
      await post(target, endpoint, { body: message, signal });
    }
    if (text.includes('"id":1')) return text;
  }
  throw new Error(`The stream ended before the answer: ${text.slice(-200)}`);
}

/** Aborts the call at this many random moments of its usual time, one after the other, and counts what became of them. */
export async function abortAtMoments(
  target: CallTarget,
  door: Door,
  options: { call: SampleCall; moments: number; random: () => number; mostMs: number },
): Promise<{ aborted: number; answered: number }> {
  const { call, moments, random, mostMs } = options;
  const startedMs = performance.now();
  await makeCall(target, door, { call, signal: AbortSignal.timeout(60_000) });
  const usualMs = Math.min(mostMs, performance.now() - startedMs);
  const counts = { aborted: 0, answered: 0 };
  for (let moment = 0; moment < moments; moment += 1)
    counts[await abortCall(target, door, { call, afterMs: Math.ceil(random() * usualMs) })] += 1;
  return counts;
}
