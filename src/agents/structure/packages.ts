import { filePlace } from '../gather/code.ts';
import { type ImportLine, type PackageLinks, readPackages, readPurposes } from '../gather/imports.ts';
import { headOf, type MapEntry, readMap } from '../gather/structure.ts';
import type { Inquiry } from './inquiry.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { briefPackageSentence, packageCountSentence, packageSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';

/** With more packages each is told by what it imports alone. */
const MOST_IN_FULL = 8;
/** Lines that are cited of one package. */
const MOST_LINES = 3;

/** How many packages there are, and what each imports of the others or is for; those that others are built of last. */
export async function tellPackages(
  inquiry: Pick<Inquiry, 'tools' | 'cite' | 'question'>,
  repo: string,
  packages: readonly PackageLinks[],
): Promise<Paragraph[]> {
  const { tools, cite, question } = inquiry;
  const ordered = packages.toSorted(
    (a, b) => a.importedBy.length - a.imports.length - (b.importedBy.length - b.imports.length) || b.files - a.files,
  );
  const purposes = asks('purpose', question.words) ? await readPurposes(tools, packages) : undefined;
  const isBrief = packages.length > MOST_IN_FULL;
  // Of many packages those that import none of the others are named together.
  const told = isBrief && purposes === undefined ? ordered.filter(({ imports }) => imports.length > 0) : ordered;
  const sentences = await Promise.all(
    told.map(async (one): Promise<Sentence> => {
      const purpose = purposes?.get(one.manifest);
      const lines = one.imports.flatMap(({ lines: [line] }) => (line === undefined ? [] : [line]));
      const shown = [...(purpose === undefined ? [] : [purpose]), ...lines.slice(0, isBrief ? 1 : MOST_LINES)];
      const sources = await sourcesOf(inquiry, { repo, manifest: one.manifest, lines: shown });
      const { says } = purpose ?? {};
      return isBrief ? briefPackageSentence(one, says, sources) : packageSentence(one, says, sources);
    }),
  );
  const [last] = ordered.slice(-1);
  const head = last === undefined ? [] : await sourcesOf({ tools, cite }, { repo, manifest: last.manifest, lines: [] });
  return [
    { sentences: packageCountSentence(ordered, head) },
    { sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true },
  ];
}

/** The lines of a package as sources; its manifest where it has none. */
async function sourcesOf(
  { tools, cite }: Pick<Inquiry, 'tools' | 'cite'>,
  { repo, manifest, lines }: { repo: string; manifest: string; lines: readonly ImportLine[] },
): Promise<Sentence['sources']> {
  if (lines.length > 0) return lines.map(({ path, line, text }) => cite.head(filePlace(repo, path, line, text)));
  const head = await headOf(tools, repo, manifest, 1);
  return head === undefined ? [] : [cite.head(head)];
}

/** Whether packages import each other in a circle; undefined where the repository is none of several packages. */
export async function tellPackageCycles({ tools, cite, most, absent }: Inquiry): Promise<Paragraph[] | undefined> {
  const { repo, rows } = await readMap(tools);
  const packages = await readPackages(tools, rows);
  if (packages.length === 0) return undefined;
  const circles = circlesOf(packages);
  if (circles.length === 0) {
    absent.push(`No: none of the ${packages.length} packages import each other in a circle.`);
    return [];
  }
  const sentences = circles.slice(0, most).map((circle): Sentence => {
    const names = circle.map(({ name }) => name);
    const lines = circle.flatMap(({ imports }) =>
      imports
        .filter(({ name }) => names.includes(name))
        .flatMap(({ lines: [line] }) => (line === undefined ? [] : [line])),
    );
    const sources = lines
      .slice(0, MOST_LINES)
      .map(({ path, line, text }) => cite.head(filePlace(repo, path, line, text)));
    return { text: `Yes: the packages ${listNames(names, names.length)} import each other in a circle.`, sources };
  });
  return [{ sentences, isList: sentences.length > 1 }];
}

/** Packages each of which leads to all others of its circle and back. */
function circlesOf(packages: readonly PackageLinks[]): PackageLinks[][] {
  const reached = new Map(packages.map(({ name }) => [name, reachedFrom(name, packages)]));
  const isInCircle = (a: string, b: string): boolean =>
    reached.get(a)?.has(b) === true && reached.get(b)?.has(a) === true;
  const circles = packages
    .filter(({ name }) => isInCircle(name, name))
    .map(({ name }) => packages.filter((other) => isInCircle(name, other.name)));
  return circles.filter(([first], at) => circles.findIndex(([other]) => other === first) === at);
}

function reachedFrom(start: string, packages: readonly PackageLinks[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    for (const { name: next } of packages.find((one) => one.name === name)?.imports ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        waiting.push(next);
      }
  return reached;
}

/** Some files by the packages that they lie in, those of most files first; by their folders where a repository is one package. What lies in no package of several is no package. */
export function groupFiles(
  files: readonly string[],
  rows: readonly Pick<MapEntry, 'part' | 'path' | 'package'>[],
): { unit: 'package' | 'folder'; parts: { name: string; files: number }[] } {
  const packages = rows
    .filter(({ part, path, package: name }) => part === 'packages' && path !== '.' && name !== undefined)
    .toSorted((a, b) => b.path.length - a.path.length);
  const counts = new Map<string, number>();
  for (const file of files) {
    const owner = packages.find(({ path }) => file.startsWith(`${path}/`))?.package;
    const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0)) || 'the root';
    const name = packages.length === 0 ? folder : owner;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = Array.from(counts, ([name, count]) => ({ name, files: count }));
  return { unit: packages.length === 0 ? 'folder' : 'package', parts: parts.toSorted((a, b) => b.files - a.files) };
}
