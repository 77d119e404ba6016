import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const PAGES = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
const texts = new Map(PAGES.map((path) => [path, withoutCode(readFileSync(join(ROOT, path), 'utf8'))]));

/** The text without fenced blocks, in which nothing is a link or a heading. */
function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,}).*?^\1/gms, '');
}

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const plain = headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase(),
  );
  return new Set(plain.map((heading) => heading.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')));
}

/** Links to other pages and files of this repository. */
function linksOf(text: string): string[] {
  const inline = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return inline.filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

test('every link between pages leads to a file and a heading that exist', () => {
  const broken = [...texts].flatMap(([path, text]) =>
    linksOf(text).flatMap((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
      const exists = file === '' || existsSync(join(ROOT, to));
      const hasHeading = anchor === undefined || anchorsOf(texts.get(to) ?? '').has(anchor);
      return exists && hasHeading ? [] : [`${path}: ${target}`];
    }),
  );

  expect([...texts.values()].flatMap(linksOf).length).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

test('every page is reached from the README', () => {
  const reached = new Set(['README.md', 'CHANGELOG.md']);
  for (const path of reached)
    for (const target of linksOf(texts.get(path) ?? '')) {
      const to = relative(ROOT, join(ROOT, dirname(path), target.split('#')[0] ?? ''));
      if (texts.has(to)) reached.add(to);
    }
  // The service reads plans and decisions, which are listed by their folders.
  const missing = PAGES.filter((path) => !reached.has(path) && !/^docs\/(?:plans|decisions)\//.test(path));

  expect(missing).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every path that %s names exists', (path) => {
  const named = [
    ...(texts.get(path) ?? '').matchAll(/`((?:src|web|lab|fixtures|scripts|docs|test|migrations|models)\/[\w./-]+)`/g),
  ];
  const missing = named.map(([, name = '']) => name).filter((name) => !existsSync(join(ROOT, name)));

  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
