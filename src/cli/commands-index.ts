import { Option, type Command } from 'commander';
import { locateRepository, refsSignature } from '../platform/git/git-refs.ts';
import { refChanges } from '../platform/git/git-watch.ts';
import type { Client, ClientNeeds } from './client.ts';
import { type CommandContext, Stopped } from './command.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { describeRepository, indexSource, type RepositoryJson, waitForIndex } from './repo.ts';
import { EXIT } from './respond.ts';
import { sourceOf } from './source.ts';

/** Dependencies of the command: `withClient` opens a service that works when none runs. */
interface IndexCommandTools<Flags> extends Pick<PlanCommandTools<Flags>, 'common' | 'show'> {
  context: CommandContext;
  withClient: (flags: Flags, needs: ClientNeeds, act: (client: Client) => Promise<void>) => Promise<void>;
  exit: (code: number) => void;
}

interface IndexFlags {
  wait?: boolean;
  watch?: boolean;
}

/** `svc index [path]`: the checkout of a folder, added when it is not known. */
export function addIndexCommand<Flags>(program: Command, tools: IndexCommandTools<Flags>): void {
  const { common, exit, context, show, withClient } = tools;
  common(program.command('index'))
    .argument('[path]', 'a folder in a git checkout', '.')
    .description('Index the checkout in a folder; adds it if it is new')
    .option('--wait', 'wait until it is indexed')
    .addOption(new Option('--watch', 'index it again after each commit, until Ctrl+C').conflicts('wait'))
    .action(async (path: string, flags: Flags & IndexFlags) => {
      const { gitDir, root } = await locateRepository(sourceOf(path, context.cwd));
      const isWatched = flags.watch === true;
      const print = (repository: RepositoryJson): void => show(flags, repository, () => describeRepository(repository));
      const needs = { work: isWatched || flags.wait === true, creates: true };
      await withClient(flags, needs, async (client) => {
        if (isWatched) return followCommits(context, client, { gitDir, root, print });
        const queuedRepository = await indexSource(client, root);
        const repository =
          flags.wait === true ? await waitForIndex(context, client, queuedRepository.id) : queuedRepository;
        print(repository);
        if (repository.status === 'failed') exit(EXIT.error);
      });
    });
}

/** Indexes a checkout now and after each commit, and prints each run. A run that fails is printed as well. */
async function followCommits(
  context: CommandContext,
  client: Client,
  { gitDir, root, print }: { gitDir: string; root: string; print: (repository: RepositoryJson) => void },
): Promise<void> {
  const run = async (): Promise<void> => {
    const { id } = await indexSource(client, root);
    print(await waitForIndex(context, client, id));
  };
  try {
    // Taken before the run, so that a commit made during it is seen.
    const since = refsSignature(gitDir);
    await run();
    for await (const _ of refChanges(gitDir, { since, signal: context.stop })) await run();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}
