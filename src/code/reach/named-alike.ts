import { identifierWords } from '../../text/identifier-parts.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFlags } from '../files/store-files.ts';
import { namesHolding } from '../symbols/search-names.ts';

/** Names of the index that are compared with one symbol. */
const MOST_NAMES = 200;
/** Test files of one name, as of a common name in many packages, are listed for one file. */
const MOST_FILES = 3;

/** Words of names that say that something is a test. */
const TEST_WORD = /^(?:tests?|specs?|it|should|testcase|e2e|cy|unit|integration)$/;
/** Names of files that stand for their folder. */
const FOLDER_FILES = /^(?:index|mod|lib|main|init|__init__|page|route)$/;

/** Words of a name, without those that say that it is a test. */
function subjectWords(name: string): string[] {
  return wordsOf(name).filter((word, at, all) => !((at === 0 || at === all.length - 1) && TEST_WORD.test(word)));
}

function wordsOf(name: string): string[] {
  return identifierWords(name).map((word) => word.toLowerCase());
}

/** Subject of a file, by its name: `order_mailer` for `OrderMailerTest.java` and `order-mailer.spec.ts`. */
function subjectOf(path: string): string {
  const [name = '', folder = ''] = path.split('/').toReversed();
  const stem = name.replace(/^\./, '').split('.')[0] ?? '';
  const parts = name.split('.').slice(1, -1);
  // `client.node.test.ts` is not the test of `client.ts` alone.
  const inner = parts.filter((part) => !TEST_WORD.test(part.toLowerCase()));
  const subject = FOLDER_FILES.test(stem.toLowerCase()) && folder !== '' ? folder : stem;
  return [...subjectWords(subject), ...inner].join('_').toLowerCase();
}

/** The test files named like some files, the nearest in the tree of folders first, at most 3 for each. */
export function filesNamedSimilarly(db: ShardDatabase, paths: readonly string[]): number[] {
  const isTest = testFlags(db);
  const bySubject = db.derived('test_subjects', () => {
    const rows = db.prepare("select id, path from file where content = 'code' order by id").all() as {
      id: number;
      path: string;
    }[];
    return Map.groupBy(
      rows.filter(({ id }) => isTest[id] === 1),
      ({ path }) => subjectOf(path),
    );
  });
  const matches = paths.flatMap((path) => {
    const subject = subjectOf(path);
    const similar = subject === '' ? [] : (bySubject.get(subject) ?? []);
    return similar
      .map((file) => ({ ...file, shared: sharedFolders(path, file.path) }))
      .toSorted((a, b) => b.shared - a.shared || a.id - b.id)
      .slice(0, MOST_FILES);
  });
  return [...new Set(matches.map(({ id }) => id))];
}

/** Folders at the beginning of two paths that are the same, and those at their end. */
function sharedFolders(path: string, other: string): number {
  const [own, others] = [path.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  const atStart = own.findIndex((part, at) => part !== others[at]);
  const reversed = own.toReversed();
  const atEnd = reversed.findIndex((part, at) => part !== others.at(-1 - at));
  return (atStart === -1 ? own.length : atStart) + (atEnd === -1 ? own.length : atEnd);
}

/** A function or class of test code. */
interface NamedTest {
  id: number;
  file: number;
}

/**
 * Functions and classes in test files that are named after a symbol: `TestSendMail`, `test_send_mail_twice`, `MailerTest`. A name of
 * one word must be all of it.
 */
export function symbolsNamedSimilarly(
  db: ShardDatabase,
  { name, qualified }: { name: string; qualified: string },
): NamedTest[] {
  const isTest = testFlags(db);
  const subjects = [name, qualified.split('/').slice(-2).join('_')].map(subjectWords);
  const last = subjects[0]?.reduce((longest, word) => (word.length > longest.length ? word : longest), '') ?? '';
  if (last.length < 3) return [];
  const inTests = db.prepare("select id, file from symbol where name = ? and kind in ('function', 'method', 'class')");
  const names = namesHolding(db, last).filter((row) => subjects.some((words) => isNamedAfter(row.text, words)));
  return names
    .slice(0, MOST_NAMES)
    .flatMap(({ id }) => inTests.all(id) as unknown as NamedTest[])
    .filter(({ file }) => isTest[file] === 1);
}

function isNamedAfter(name: string, words: readonly string[]): boolean {
  const own = wordsOf(name);
  const subject = subjectWords(name);
  if (subject.length === own.length || words.length === 0) return false;
  const begins = words.every((word, at) => subject[at] === word);
  return begins && (subject.length === words.length || words.length > 1);
}
