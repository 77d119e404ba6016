import { counted } from '../../kernel/counted.ts';
import { filePlace } from '../gather/code.ts';
import { type ImportLine, type PackageLinks, readPackages, readPurposes } from '../gather/imports.ts';
import { type Declaration, readDeclarations } from '../gather/manifests.ts';
import { headOf, type MapEntry, readMap } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Inquiry } from './inquiry.ts';
import { joinWords, listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { briefPackageSentence, endSentences, packageCountSentence, packageSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';

/** With more packages each is told by what it imports alone. */
const MOST_IN_FULL = 8;
/** Lines that are cited of one package. */
const MOST_LINES = 3;

/** How many packages there are, and what each imports of the others or is for; those that others are built of last. */
export async function tellPackages(
  inquiry: Pick<Inquiry, 'tools' | 'cite' | 'question' | 'notes'>,
  repo: string,
  packages: readonly PackageLinks[],
): Promise<Paragraph[]> {
  const { tools, cite, question, notes } = inquiry;
  notes.push(...packages.flatMap(({ others }) => others.map(otherVersionNote)));
  if (asks('bottom', question.words) || asks('top', question.words)) return tellPackageEnds(inquiry, repo, packages);
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

/** That a package of the repository is taken in another version than lies there. */
export function otherVersionNote({ from, to, otherVersion }: Declaration): string {
  return `not counted: ${from} takes ${to} ${otherVersion}, which is not the one of this repository`;
}

/** The packages that are built on none of the others, those on which none is built, and those that are both, as asked. */
async function tellPackageEnds(
  { tools, cite, question, notes }: Pick<Inquiry, 'tools' | 'cite' | 'question' | 'notes'>,
  repo: string,
  packages: readonly PackageLinks[],
): Promise<Paragraph[]> {
  const manifests = new Map(packages.map(({ name, manifest }) => [name, manifest]));
  notes.push('packages of the root, of tests and of examples are not counted');
  const ends = packages.map(({ name, imports, importedBy }) => ({
    name,
    uses: imports.length,
    usedBy: importedBy.length,
  }));
  const asked = { isOfBottom: asks('bottom', question.words), isOfTop: asks('top', question.words) };
  const sentences = await Promise.all(
    endSentences(ends, 'package', asked).map(async ({ text, names }) => {
      const heads = await Promise.all(
        names.slice(0, MOST_LINES).map(async (name) => headOf(tools, repo, manifests.get(name) ?? '', 1)),
      );
      return { text, sources: heads.flatMap((head) => (head === undefined ? [] : [cite.head(head)])) };
    }),
  );
  return [{ sentences, isList: sentences.length > 1 }];
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

/** The packages that import the one that lies at a path; undefined where none does, or too many are there to be told apart. */
export async function tellPackageDependents(
  { tools, cite, notes }: Pick<Inquiry, 'tools' | 'cite' | 'notes'>,
  path: string,
  called: string,
): Promise<Paragraph[] | undefined> {
  const { repo, rows } = await readMap(tools);
  const links = await readPackages(tools, rows);
  const own = links.find((one) => one.path === path);
  if (own === undefined) return undefined;
  const dependents = links
    .flatMap(({ name, imports }) =>
      imports.filter((one) => one.name === own.name).map(({ lines }) => ({ name, lines })),
    )
    .toSorted((a, b) => b.lines.length - a.lines.length);
  if (dependents.length === 0) return undefined;
  notes.push(...links.flatMap(({ others }) => others.filter(({ to }) => to === own.name).map(otherVersionNote)));
  const lines = dependents.flatMap((one) => one.lines);
  const sources = lines
    .slice(0, MOST_LINES)
    .map(({ path: file, line, text }) => cite.head(filePlace(repo, file, line, text)));
  const listed = dependents.map(({ name, lines: { length } }) => `${name} (${counted(length, 'file')})`);
  const text = `${counted(dependents.length, 'package imports', 'packages import')} \`${called}\`: ${joinWords(listed)}.`;
  return [{ sentences: [{ text, sources }] }];
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

type PackageRow = Pick<MapEntry, 'part' | 'path' | 'package'>;

/** The innermost package in which a file lies, or which a folder is; of several that a repository has. */
export function ownerOf(path: string, rows: readonly PackageRow[]): PackageRow | undefined {
  return rows
    .filter(({ part, package: name }) => part === 'packages' && name !== undefined)
    .filter(({ path: area }) => area !== '.' && (path === area || path.startsWith(`${area}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** The packages that take another version of the one in which a part lies than lies there. One to five calls where there are several packages. */
export async function takersOfOthers(tools: Tools, rows: readonly MapEntry[], part: string): Promise<Declaration[]> {
  const to = ownerOf(part, rows)?.package;
  if (to === undefined) return [];
  const packages = rows.flatMap(({ part: kind, path, package: name, manifest }) =>
    kind === 'packages' && path !== '.' && name !== undefined ? [{ name, manifest }] : [],
  );
  const declared = (await readDeclarations(tools, packages)) ?? [];
  return declared.filter((one) => one.to === to && one.otherVersion !== '');
}

/** Some files by the packages that they lie in, those of most files first; by their folders where a repository is one package. What lies in no package of several is no package. */
export function groupFiles(
  files: readonly string[],
  rows: readonly PackageRow[],
): { unit: 'package' | 'folder'; parts: { name: string; files: number }[] } {
  const isOne = !rows.some(
    ({ part, path, package: name }) => part === 'packages' && path !== '.' && name !== undefined,
  );
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0)) || 'the root';
    const name = isOne ? folder : ownerOf(file, rows)?.package;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = Array.from(counts, ([name, count]) => ({ name, files: count }));
  return { unit: isOne ? 'folder' : 'package', parts: parts.toSorted((a, b) => b.files - a.files) };
}
