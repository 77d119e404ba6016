import { type Command, Option } from 'commander';
import type { Config } from '../platform/config.ts';
import type { CommandContext } from './command.ts';
import type { PlanCommandTools } from './commands-plan.ts';

/** `svc backup`, `svc restore` and `svc forget-secrets`. */
export function addBackupCommands<Flags>(
  program: Command,
  tools: Pick<PlanCommandTools<Flags>, 'common' | 'show'> & {
    context: CommandContext;
    /** Reads the settings; where `backupDir` is object storage, those of AWS too. */
    configOf: (flags: Flags, backupDir?: string) => Promise<Config>;
  },
): void {
  const { common, show, context, configOf } = tools;
  common(program.command('backup'))
    .argument(
      '<file>',
      'a file that does not exist yet, such as svc-2026-03-01.tar.zst or s3://bucket/svc-2026-03-01.tar.zst',
    )
    .addOption(
      new Option('--blobs <which>', 'carry uploads and indexes, uploads alone, or neither')
        .choices(['all', 'uploads', 'none'])
        .default('uploads'),
    )
    .description('Save all database rows, the uploads and the key of secrets to one file, while the service runs')
    .action(async (file: string, flags: Flags & { blobs: 'all' | 'uploads' | 'none' }) => {
      const { backUp, savedText } = await import('./backup.ts');
      const saved = await backUp(context, await configOf(flags, bucketOf(file)), { file, blobs: flags.blobs });
      show(flags, saved, () => savedText(saved));
    });
  common(program.command('restore'))
    .argument('<file>', 'a file that svc backup wrote, with this version or an earlier one; s3://… too')
    .description('Fill an empty database, embedded or on a server, and the store of blobs from a backup')
    .action(async (file: string, flags: Flags) => {
      const { restore, restoredText } = await import('./backup.ts');
      const restored = await restore(context, await configOf(flags, bucketOf(file)), file);
      show(flags, restored, () => restoredText(restored));
    });
  common(program.command('forget-secrets'))
    .requiredOption('--yes', 'confirm: forgotten secrets cannot be restored')
    .description(
      'After losing a key: forget the secrets that no available key decrypts (authenticators, webhooks, trackers)',
    )
    .action(async (flags: Flags) => {
      const { describeForgotten, forgetSecrets } = await import('./forget-secrets.ts');
      const forgotten = await forgetSecrets(context, await configOf(flags));
      show(flags, forgotten, () => describeForgotten(forgotten));
    });
}

/** The address of a file in object storage; undefined for one of this machine. */
function bucketOf(file: string): string | undefined {
  return file.startsWith('s3://') ? file : undefined;
}
