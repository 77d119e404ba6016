import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { addOrganizationCommands } from './commands-organization.ts';
import { addQueueCommands } from './commands-queue.ts';
import type { PlanCommandTools } from './commands-plan.ts';

const FOLLOWED = {
  id: 'one',
  address: 'https://github.com/acme',
  include: ['api-*'],
  exclude: [],
  total: 5,
  added: 3,
  read_at: null,
  fault: '',
};
const JOBS = {
  paused_since: null,
  running: 1,
  waiting: 1,
  jobs: [
    { job: 'repository.index', repository: 'api', state: 'running', sent_at: '', failures: 0, first: false },
    { job: 'repository.index', repository: 'web', state: 'waiting', sent_at: '', failures: 2, first: true },
  ].map((job) => ({ ...job, sent_at: new Date(Date.now() - 5_000).toISOString(), started_at: null })),
};

/** Runs a command against a service with these answers; gives what it sent, and what it printed. */
async function run(args: readonly string[], answers: Record<string, unknown>) {
  const sent: [string, unknown][] = [];
  let text = '';
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    sent.push([`${method} ${path}`, body]);
    return answers[`${method} ${path}`];
  };
  // The commands send, and nothing else.
  const client = { send } as unknown as Client;
  const withClient: PlanCommandTools<object>['withClient'] = (_flags, act) => act(client);
  const program = new Command('svc');
  const tools: PlanCommandTools<object> = {
    cwd: '/',
    common: (command) => command.exitOverride(),
    withClient,
    withClientToAdd: withClient,
    show: (_flags, _document, prose) => void (text = prose()),
    repositoryHere: async () => undefined,
  };
  addOrganizationCommands(program, tools);
  addQueueCommands(program, tools);
  await program.parseAsync([...args], { from: 'user' });
  return { sent, text };
}

test('an organization is followed with its choice, read at once, listed, and found by its address', async () => {
  const follow = await run(['follow', 'github.com/acme', '--include', 'api-*', '--token', 'secret', '--forks'], {
    'POST /v1/organizations': FOLLOWED,
    'POST /v1/organizations/one/reads': FOLLOWED,
  });
  const list = { 'GET /v1/organizations': { organizations: [FOLLOWED] } };

  expect(follow.sent).toEqual([
    ['POST /v1/organizations', { address: 'github.com/acme', include: ['api-*'], token: 'secret', forks: true }],
    ['POST /v1/organizations/one/reads', undefined],
  ]);
  expect(follow.text).toMatch(/^https:\/\/github\.com\/acme is followed: 3 of 5 repositories are added/);
  expect(follow.text).not.toContain('secret');
  expect((await run(['followed'], list)).text).toMatch(/https:\/\/github\.com\/acme +3 +5 +not yet/);
  expect((await run(['unfollow', 'github.com/acme/'], list)).sent.at(-1)?.[0]).toBe('DELETE /v1/organizations/one');
  await expect(run(['unfollow', 'github.com/other'], list)).rejects.toMatchObject({ code: 'unknown_id' });
});

test('the queue is shown in its order, with what failed, and since when it is paused', async () => {
  const path = 'GET /v1/jobs?limit=50';
  const { text } = await run(['queue'], { [path]: JOBS });
  const paused_since = new Date(Date.now() - 60_000).toISOString();

  expect(text.split('\n').map((line) => line.trim())).toEqual([
    '1 running, 1 waiting',
    expect.stringMatching(/^work +repository +state +for/),
    expect.stringMatching(/^repository\.index +api +running +\d+ s$/),
    expect.stringMatching(/^repository\.index +web +waiting, first +\d+ s +failed 2 times, is tried again$/),
  ]);
  const paused = await run(['queue'], { [path]: { ...JOBS, jobs: [], paused_since } });
  expect(paused.text).toMatch(/^1 running, 1 waiting, paused for 1 min \(.*repo resume\)$/);
  expect((await run(['pause'], {})).sent).toEqual([['POST /v1/indexing/pause', undefined]]);
  expect((await run(['resume'], {})).sent).toEqual([['DELETE /v1/indexing/pause', undefined]]);
});
