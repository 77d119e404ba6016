/**
 * The reference pages of docs/, made from what the program declares: `node scripts/reference.ts` writes them, and
 * `src/reference.test.ts` fails when one is not current.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientPages } from './reference/client-pages.ts';
import { commandsPage } from './reference/commands-page.ts';
import { errorsPage } from './reference/errors-page.ts';
import { formRules } from './reference/form-rules.ts';
import { languageTable } from './reference/language-table.ts';
import { restPage } from './reference/rest-page.ts';
import { settingsPage } from './reference/settings-page.ts';
import { toolsPage } from './reference/tools-page.ts';

const ROOT = join(import.meta.dirname, '..');
const LANGUAGES_PAGE = 'docs/languages.md';
/** The part of a page between these lines is generated. */
const GENERATED = /(?<=<!-- generated -->\n).*(?=<!-- \/generated -->)/s;

/** Each generated page by its path, as it should be. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ['docs/tools.md', toolsPage()],
    ['docs/commands.md', commandsPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/rest.md', await restPage()],
    ['web/form-rules.json', formRules()],
    ...clientPages(),
    [LANGUAGES_PAGE, readPage(LANGUAGES_PAGE).replace(GENERATED, () => `\n${languageTable()}\n\n`)],
  ]);
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

if (import.meta.main) for (const [path, text] of await referencePages()) writeFileSync(join(ROOT, path), text);
