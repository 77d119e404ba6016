import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { ProductRequest } from '../accounts/accounts.ts';
import { secretKeysOf } from '../platform/secrets.ts';
import { itemsOfPlans, savePlan } from '../plans/plans.ts';
import { connectTracker } from '../trackers/connections.ts';
import type { Trackers } from '../trackers/context.ts';
import { previewIssue, sendIssue } from '../trackers/send-issue.ts';
import { HANG_LIMIT_MS } from './limits.ts';
import type { PlanBench } from './plans.ts';
import { type CannedAnswer, openTrackerServer, type TrackerServer } from './tracker-server.ts';

/** Tokens are encrypted with it. */
export const KEY = randomBytes(32).toString('base64');
export const TOKEN = 'github-token';

/** A repository with issues, as GitHub serves it. `fault` is called first. */
export interface GithubServer extends TrackerServer {
  issues: { id: number; number: number; html_url: string; state: string; title: string; body: string }[];
  /** Entries that were added to lists of an issue: `2/dependencies/blocked_by 1001`. */
  links: string[];
  fault: (request: string) => CannedAnswer | undefined;
}

/** Answers as GitHub does, with links between issues. */
async function openGithub(): Promise<GithubServer> {
  const issues: GithubServer['issues'] = [];
  const links: string[] = [];
  const addLink = (list: string, body: unknown): CannedAnswer => {
    const { issue_id: blocker, sub_issue_id: child } = body as { issue_id?: number; sub_issue_id?: number };
    links.push(`${list} ${blocker ?? child}`);
    return { status: 201, json: {} };
  };
  const server = await openTrackerServer(({ method, path, body, headers }) => {
    const name = `${method} ${path.replace(/\?.*/, '').replace('/api/v3/repos/acme/shop', '')}`;
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { message: 'Bad credentials' } };
    const fault = github.fault(name);
    if (fault !== undefined && fault.status !== 201) return fault;
    if (name === 'GET ') return { status: 200, json: {} };
    if (name === 'GET /issues') return { status: 200, json: issues };
    if (name === 'POST /issues') {
      const number = issues.length + 1;
      const html_url = `https://github.com/acme/shop/issues/${number}`;
      const issue = {
        id: 1000 + number,
        number,
        html_url,
        state: 'open',
        ...(body as { title: string; body: string }),
      };
      issues.push(issue);
      return { ...fault, status: 201, json: issue };
    }
    const [, list] = /^(?:GET|POST) \/issues\/(\d+\/(?:dependencies\/blocked_by|sub_issues))$/.exec(name) ?? [];
    if (list !== undefined) return method === 'POST' ? addLink(list, body) : { status: 200, json: [] };
    const match = issues.find(({ number }) => name.replace('PATCH', 'GET') === `GET /issues/${number}`);
    if (match !== undefined && method === 'PATCH') Object.assign(match, body);
    return match === undefined ? undefined : { status: 200, json: match };
  });
  const github: GithubServer = { ...server, issues, links, fault: () => undefined };
  return github;
}

/** Server, tracker and plan of a test that sends work items. */
export interface Sending {
  github: GithubServer;
  trackers: Trackers;
  request: ProductRequest;
  planId: string;
  handle: string;
  trackerId: string;
  /** Moves the clock, which also moves a little with each look at it. */
  pass: (ms: number) => void;
  preview: () => ReturnType<typeof previewIssue>;
  send: (digest?: string) => ReturnType<typeof sendIssue>;
}

/** A plan of two work items, T2 after T1, in the product of a bench, connected to a repository that ends with the test. */
export async function openSending(bench: PlanBench, slug: string): Promise<Sending> {
  const github = await openGithub();
  onTestFinished(() => github.close());
  const { accountId, productId, actor } = bench.account;
  const request = { accountId, productId, actor };
  const clock = { ms: Date.parse('2026-11-21T10:00:00Z') };
  const trackers: Trackers = {
    plans: bench.plans,
    keys: secretKeysOf([KEY]),
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_LIMIT_MS },
    wait: async () => {},
    now: () => new Date((clock.ms += 1)),
  };
  const text = `# ${slug}\n\n## Tasks\n\n- [ ] T1: Count carts\n- [ ] T2: Refuse empty carts (depends: T1)\n  - Files: \`src/cart.ts\`\n`;
  const { row } = await savePlan(bench.plans, request, { text, slug, actor });
  const { id: trackerId } = await connectTracker(trackers, request, connection(github));
  const items = await itemsOfPlans(bench.plans, request, [row.id]);
  const handle = `wi:${items.find(({ key }) => key === 'T2')?.number}`;
  const preview = (): ReturnType<typeof previewIssue> => previewIssue(trackers, request, { handle, trackerId });
  return {
    github,
    trackers,
    request,
    planId: row.id,
    handle,
    trackerId,
    pass: (ms) => void (clock.ms += ms),
    preview,
    send: async (digest) =>
      sendIssue(trackers, request, { handle, trackerId, digest: digest ?? (await preview()).digest }),
  };
}

/** Returns the settings that connect it. */
export function connection({ url }: GithubServer, token = TOKEN): Parameters<typeof connectTracker>[2] {
  return { kind: 'github', baseUrl: `${url}/`, project: 'acme/shop', token };
}
