import { counted } from '../kernel/counted.ts';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';

interface DigestJson {
  channel: string;
  to: string[];
  every: string;
  min_severity: string;
  delivered_at: string | null;
  next: string;
  fault: string;
  secret?: string | null;
}

interface TestJson {
  channel: string;
  changes: number;
  fault: string;
}

interface DigestFlags {
  to?: string[];
  every?: string;
  chat?: string;
  minSeverity?: string;
  test?: true;
  off?: string | true;
}

const PATH = '/v1/competitor-digests';

/** `svc competitor digest`. */
export function addDigestCommand<Flags extends object>(
  competitor: Command,
  { common, withClient, show }: PlanCommandTools<Flags>,
): void {
  common(competitor.command('digest'))
    .option('--to <destination...>', 'send it here from now on: the address of a webhook, or e-mail addresses')
    .option('--chat <chat>', 'slack or teams: --to is the address of its incoming webhook')
    .option('--every <period>', 'now, day or week; default: day, of chats now')
    .option('--min-severity <severity>', 'low, medium or high; default: medium')
    .option('--test', 'send it now, marked as a test')
    .option('--off [channel]', 'send no more; webhook, email, slack or teams, default: all')
    .description('Show, set or stop the digests and alerts of changes that go to a webhook, a chat or by e-mail')
    .action((flags: Flags & DigestFlags) =>
      withClient(flags, async (client) => {
        if (flags.off !== undefined) {
          const removed = await stopDigests(client, flags.off === true ? undefined : flags.off);
          show(flags, { removed }, () => `No more digests are sent: ${removed.join(', ')}.`);
          return;
        }
        const digests = flags.to === undefined ? await requireDigests(client) : [await setDigest(client, flags)];
        if (flags.test !== true) return show(flags, { digests }, () => digests.map(describeDigest).join('\n'));
        const tests: TestJson[] = [];
        for (const { channel } of digests) tests.push(await sendTest(client, channel));
        show(flags, { digests, tests }, () => [...digests.map(describeDigest), ...tests.map(describeTest)].join('\n'));
      }),
    );
}

/** @throws ServiceError `unknown_id` when there is none. */
async function requireDigests(client: Client): Promise<DigestJson[]> {
  const { digests } = await client.send<{ digests: DigestJson[] }>('GET', PATH);
  if (digests.length > 0) return digests;
  throw new ServiceError('unknown_id', 'This product has no digest of competitor changes.', {
    fix: `Say where to: ${ownCommand('competitor digest --to <address>')}`,
  });
}

function setDigest(client: Client, { to = [], chat, minSeverity, ...flags }: DigestFlags): Promise<DigestJson> {
  const every = flags.every ?? (chat === undefined ? undefined : 'now');
  const own = to.every((address) => address.includes('@') && !address.includes('://')) ? 'email' : 'webhook';
  const channel = encodeURIComponent(chat ?? own);
  return client.send<DigestJson>('PUT', `${PATH}/${channel}`, { to, every, min_severity: minSeverity });
}

/** Stops digests and returns their channels. */
async function stopDigests(client: Client, channel: string | undefined): Promise<string[]> {
  const channels = channel === undefined ? (await requireDigests(client)).map((digest) => digest.channel) : [channel];
  for (const name of channels) await client.send('DELETE', `${PATH}/${encodeURIComponent(name)}`);
  return channels;
}

async function sendTest(client: Client, channel: string): Promise<TestJson> {
  const answer = await client.send<{ changes: number; fault: string }>('POST', `${PATH}/${channel}/tests`, {});
  return { channel, ...answer };
}

function describeTest({ channel, changes, fault }: TestJson): string {
  return `A test with ${counted(changes, 'change')} was sent (${channel}).${fault === '' ? '' : ` ${visible(fault)}`}`;
}

function describeDigest({ to, every, min_severity: severity, secret, next, ...last }: DigestJson): string {
  const lines = [
    every === 'now'
      ? `Changes from ${severity} severity on go to ${visible(to.join(', '))} at once.`
      : `Changes from ${severity} severity on go to ${visible(to.join(', '))} every ${every}, next at ${next}.`,
  ];
  if (last.delivered_at !== null) lines.push(`The last one arrived at ${last.delivered_at}.`);
  if (last.fault !== '') lines.push(`The last try failed: ${visible(last.fault)}`);
  if (typeof secret === 'string') lines.push(`Its signatures are made with this secret, shown only now: ${secret}`);
  return lines.join('\n');
}
