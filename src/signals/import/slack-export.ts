import { dirname } from 'node:path';
import { ServiceError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { ImportRecord, NamedFile } from './import-file.ts';
import { textOfSlack } from './markup.ts';
import { isRecord } from '../../kernel/json.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Files of a Slack export that hold no messages. */
const LISTS =
  /(?:^|\/)(?:users|channels|groups|dms|mpims|org_users|integration_logs|canvases|lists|file_conversations|huddle_transcripts)\.json$/;
const DAY = /(?:^|\/)([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/;

/** True if these are the files of a Slack export: a list of people or channels, and a file a channel and day. */
export function isSlackExport(files: readonly Pick<NamedFile, 'name'>[]): boolean {
  return files.some(({ name }) => LISTS.test(name)) && files.some(({ name }) => DAY.test(name));
}

/**
 * The messages of a Slack export, by file, with the names of people and channels.
 *
 * @throws ServiceError `bad_argument` for a file of it that is no list of objects.
 */
export function readSlackExport(files: readonly NamedFile[]): { name: string; records: ImportRecord[] }[] {
  const names = new Map<string, string>();
  for (const file of files) {
    if (!LISTS.test(file.name)) continue;
    for (const entry of listOf(file)) {
      const {
        id,
        name: own,
        real_name: realName,
        profile,
      } = entry as {
        id?: unknown;
        name?: unknown;
        real_name?: unknown;
        profile?: { real_name?: unknown };
      };
      const shown = [profile?.real_name, realName, own].find((text) => typeof text === 'string' && text !== '');
      if (typeof id === 'string' && typeof shown === 'string') names.set(id, shown);
    }
  }
  return files.flatMap((file) => {
    const { name } = file;
    const [, folder] = DAY.exec(name) ?? [];
    if (folder === undefined) return [];
    const channel = names.get(folder) ?? dirname(name).split('/').at(-1) ?? folder;
    const records = listOf(file).map((message): ImportRecord => {
      const { text, user } = message;
      return {
        ...message,
        channel,
        ...(typeof text === 'string' && { text: textOfSlack(text, names) }),
        ...(typeof user === 'string' && { user: names.get(user) ?? user }),
      };
    });
    return [{ name, records }];
  });
}

/** @throws ServiceError `bad_argument` for what is no list of objects. */
function listOf({ name, bytes }: NamedFile): ImportRecord[] {
  const list = parseJson(decodeAnyText(bytes, { path: name }));
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new ServiceError('bad_argument', `${name} is not a list of objects as Slack exports them.`, {
    fix: 'Export the workspace again, or take the file out.',
  });
}
