import { baseName } from '../kernel/paths.ts';
import { posix } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { readArchive } from '../platform/archive.ts';
import { decodeAnyText } from '../text/decode.ts';
import { readXml } from '../platform/xml.ts';

/** A relation of one part of an office file to another. */
interface Relation {
  /** The last part of its type, such as `slide`. */
  type: string;
  /** The path of the other part in the archive. */
  target: string;
}

/**
 * The texts of an archive that a filter selects, by path. A broken or encrypted one makes the whole unreadable.
 *
 * @throws ServiceError `bad_argument`, `too_large`.
 */
export async function readParts(
  archive: Buffer,
  what: string,
  isRead: (name: string) => boolean,
): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  const problems = await readArchive(archive, async (name, bytes) => {
    if (isRead(name)) parts.set(name, decodeAnyText(bytes, { path: name }));
  });
  const problem = problems.find(({ name }) => isRead(name));
  if (problem === undefined) return parts;
  throw new ServiceError('bad_argument', `${what} is broken: ${problem.name}: ${problem.reason}`, {
    fix: 'Open it in its program, save it again without a password, and upload it.',
  });
}

/** The text of a part, the first time only: a part that is named a thousand times is read once. '' where there is none. */
export function takePart(parts: Map<string, string>, path: string): string {
  const text = parts.get(path) ?? '';
  parts.delete(path);
  return text;
}

/** The title in the metadata of a document: its first `title` element that has text, '' without one. */
export function titleOfPart(source: string): string {
  let [title, isTitle] = ['', false];
  readXml(source, {
    open: (name) => {
      if (title === '' && withoutPrefix(name) === 'title') isTitle = true;
    },
    text: (text) => {
      if (isTitle) title += text;
    },
    close: (name) => {
      if (withoutPrefix(name) === 'title') isTitle = false;
    },
  });
  return title.trim();
}

/** The refusal of a file that only its password opens. */
export function lockedFile(what: string, cause?: unknown): ServiceError {
  return new ServiceError('bad_argument', `${what} is protected by a password.`, {
    fix: 'Save it without a password and upload it again.',
    cause,
  });
}

/** The relations of a part by their ids, as Office Open XML has them. */
export function relationsOf(parts: ReadonlyMap<string, string>, part: string): Map<string, Relation> {
  const folder = posix.dirname(part);
  const source = parts.get(`${folder === '.' ? '' : `${folder}/`}_rels/${posix.basename(part)}.rels`) ?? '';
  const relations = new Map<string, Relation>();
  readXml(source, {
    open: (name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) => {
      if (withoutPrefix(name) !== 'Relationship' || id === undefined || target === undefined || mode === 'External')
        return;
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.set(id, { type: baseName(type), target: path });
    },
  });
  return relations;
}

/** The name of an element without its prefix, which a document chooses. */
export function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
