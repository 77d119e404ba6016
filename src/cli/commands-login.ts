import type { Command } from 'commander';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { CommandContext } from './command.ts';
import { remoteClient } from './client.ts';
import { forgetLogin, keyFrom, serviceAddress, writeLogin } from './login.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { listRepositories } from './repo.ts';

/** `svc login` and `svc logout`. */
export function addLoginCommands<Flags>(
  program: Command,
  { context, common, show }: Pick<PlanCommandTools<Flags>, 'common' | 'show'> & { context: CommandContext },
): void {
  common(program.command('login'))
    .argument('<address>', 'of the service, such as https://svc.example.com')
    .description('Use a service on another machine, with an API key')
    .option('--key <key>', 'the API key; without it, the first line of standard input')
    .action(async (address: string, flags: Flags & { key?: string }) => {
      const url = serviceAddress(address);
      if (flags.key === undefined && process.stdin.isTTY) context.err('API key: ');
      const key = flags.key ?? (await keyFrom(process.stdin));
      // Only a key that works is stored.
      const repositories = (await listRepositories(remoteClient({ url, key }))).map(({ name }) => name);
      writeLogin(context.configDir, { url, key });
      const isOpen = url.startsWith('http:') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(url);
      if (isOpen) context.err('The connection is not encrypted: others on the way can read the API key.\n');
      show(flags, { url, repositories }, () => {
        const names = repositories.length === 0 ? 'no repositories yet' : repositories.map(visible).join(', ');
        return `Signed in to ${url} (${names}). Undo it with: ${ownCommand('logout')}`;
      });
    });
  common(program.command('logout'))
    .description('Forget the service of svc login')
    .action((flags: Flags) => {
      const forgotten = forgetLogin(context.configDir);
      show(flags, { forgotten }, () =>
        forgotten ? 'Forgotten. The API key itself still works.' : 'There was no login.',
      );
    });
}
