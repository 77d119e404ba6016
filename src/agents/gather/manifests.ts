import { z } from 'zod';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });

/** A package with a manifest. */
interface WithManifest {
  name: string;
  manifest: string;
}

/** What the manifest of a package says of another one of the repository. */
export interface Declaration {
  from: string;
  to: string;
  /** The version that is taken instead of the one that lies in the repository; '' where it is that one. */
  otherVersion: string;
}

/** Pages of lines that are read. */
const MOST_PAGES = 5;
/** Where a manifest lists what only tests and builds need, so that nothing that ships is linked by it. */
const FOR_WORK = /^\[[^\]]*\b(?:dev|build|test)\b/;
/** Where packages list what whoever installs them must bring: of which version says nothing of the one they are built with. */
const PEERS = /^\s*"peerDependencies"/;
const SECTION = /^\s*"\w*dependencies"|^\[/i;
const VERSION = /^\s*"?version"?\s*[:=]\s*"(?<version>[^"]+)"/;

/** What manifests declare of each other's packages; undefined where not all of it could be read. One to five calls. */
export async function readDeclarations(
  tools: Tools,
  packages: readonly WithManifest[],
): Promise<Declaration[] | undefined> {
  const names = packages.map(({ name }) => name.replaceAll(/[^\w]/g, '.')).join('|');
  const query = [
    String.raw`["'](?:${names})["']\s*:`,
    String.raw`^(?:${names})\s*[.=]`,
    String.raw`^\s*"\w*[dD]ependencies"`,
    String.raw`^\[[^\]]*(?:dependencies|sources)`,
    String.raw`^\s*"?version"?\s*[:=]`,
  ].join('|');
  const path = `{${packages.map(({ manifest }) => manifest).join(',')}}`;
  const lines: z.output<typeof Line>[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const asked = { action: 'grep', query, path, limit: 100, ...(cursor !== undefined && { cursor }) };
    const found = await tools.ask('code-tool', asked, Line);
    lines.push(...(found?.rows ?? []));
    cursor = found?.next;
    if (cursor === undefined) break;
  }
  if (cursor !== undefined) return undefined;
  const texts = packages.map(({ name, manifest }) => ({
    name,
    lines: lines
      .filter((line) => line.path === manifest)
      .toSorted((a, b) => a.line - b.line)
      .map(({ text }) => text),
  }));
  const versions = new Map(
    texts.flatMap(({ name, lines: own }) => {
      const version = own.flatMap((text) => VERSION.exec(text)?.groups?.['version'] ?? [])[0];
      return version === undefined ? [] : [[name, version] as const];
    }),
  );
  return texts.flatMap(({ name, lines: own }) => declaredIn(name, own, versions, packages));
}

/** What the lines of one manifest declare, of each package once: the one of the repository where any line takes that. */
function declaredIn(
  from: string,
  lines: readonly string[],
  versions: ReadonlyMap<string, string>,
  packages: readonly WithManifest[],
): Declaration[] {
  const found = new Map<string, string>();
  let section = '';
  for (const text of lines) {
    if (SECTION.test(text)) section = text;
    const to = packages.find(({ name }) => name !== from && declares(text, name))?.name;
    if (to === undefined || FOR_WORK.test(section)) continue;
    const other = PEERS.test(section) ? '' : otherVersionIn(text, versions.get(to));
    found.set(to, found.get(to) === '' ? '' : other);
  }
  return Array.from(found, ([to, otherVersion]) => ({ from, to, otherVersion }));
}

/** Whether a line declares a package: `"name": …`, `name = …`, or a section of its own. Lists of features begin alike. */
function declares(text: string, name: string): boolean {
  const line = text.trimStart();
  if (line.startsWith(`"${name}"`) || line.startsWith(`'${name}'`)) return true;
  if (line.startsWith('[')) return line.includes(`.${name}]`);
  return line.startsWith(name) && /^\s*[.=](?!\s*\[)/.test(line.slice(name.length));
}

/** The version that a line takes from elsewhere; '' where it takes, or may take, what lies in the repository as `version`. */
export function otherVersionIn(text: string, version: string | undefined): string {
  const [, range = ''] = /^\s*["'][^"']+["']\s*:\s*["']([^"']*)["']/.exec(text) ?? [];
  if (range !== '') return version === undefined || isTaken(range, version) ? '' : range;
  // Without a path or the workspace a name of a manifest of this kind is one of a registry.
  const [, wanted = ''] = /^\s*[\w-]+\s*=\s*(?:\{.*?\bversion\s*=\s*)?["']([^"']+)["']/.exec(text) ?? [];
  return /\b(?:path|workspace|git|url)\b/.test(text) ? '' : wanted;
}

/** Whether a workspace has the version that a range asks for; what is no plain range it may have. */
function isTaken(range: string, version: string): boolean {
  const [, sign = '', asked = ''] = /^([\^~]?)v?(\d+(?:\.\d+)*[\w.+-]*)$/.exec(range) ?? [];
  if (asked === '') return true;
  const [own, wanted] = [version.split('.'), asked.split('.')];
  if (sign === '') return wanted.every((part, at) => own[at] === part);
  const compared = sign === '~' || wanted[0] === '0' ? 2 : 1;
  return wanted.slice(0, compared).every((part, at) => own[at] === part);
}
