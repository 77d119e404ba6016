import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../cli/client.ts';
import { addSignalCommands } from '../../cli/commands-knowledge.ts';
import { FAULTY_ROWS, faultyExport, faultyWorkbook, joinCells, windows1252 } from '../../testing/faulty-export.ts';
import { testPerson } from '../../testing/person.ts';
import { openTestApplication, type TestApplication } from '../../testing/web-application.ts';
import type { SignalJson } from './import.ts';

let application: TestApplication;
let session: string;
const { rows, expected } = faultyExport();
const READ_ROWS = FAULTY_ROWS - expected.skipped.length;

beforeAll(async () => {
  application = await openTestApplication();
  session = (await testPerson(application.account, 'admin', new Date())).token;
});
afterAll(() => application.close());

interface Counts {
  added: number;
  updated: number;
  unchanged: number;
}
interface Understood {
  format: string;
  encoding: string | null;
  known: string | null;
  dates: object;
  rating_of: number;
  mapping: object;
  signals: SignalJson[];
  skipped: { line: number; reason: string }[];
  notes: { line: number; reason: string }[];
}

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await application.send(method, `/app/api${path}`, { session, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Body;
}

function read(name: string, bytes: Buffer): Promise<Understood> {
  return send<Understood>('POST', '/signals/read-file', { name, base64: bytes.toString('base64') });
}

/** Imports as the page does: what the file says, in batches. */
async function importFile({ signals }: Understood): Promise<Counts> {
  const counts = { added: 0, updated: 0, unchanged: 0 };
  for (let at = 0; at < signals.length; at += 500) {
    const batch = signals.slice(at, at + 500).map((signal) => ({ source: 'tickets', ...signal }));
    const saved = await send<Counts>('POST', '/signals', { signals: batch });
    counts.added += saved.added;
    counts.updated += saved.updated;
    counts.unchanged += saved.unchanged;
  }
  return counts;
}

test('a faulty export is read the same in each encoding and as a workbook: no row is lost, what is left out is named', async () => {
  const files: [string, Buffer, string | null][] = [
    ['tickets.csv', windows1252(joinCells(rows, ';')), 'Windows-1252'],
    ['tickets.tsv', Buffer.from(`\ufeff${joinCells(rows, '\t')}`, 'utf16le'), 'UTF-16LE'],
    ['tickets.csv', Buffer.from(joinCells(rows, ';')), 'UTF-8'],
    ['tickets.xlsx', faultyWorkbook(rows), null],
  ];
  for (const [name, bytes, encoding] of files) {
    const understood = await read(name, bytes);

    expect(understood).toMatchObject({ encoding, dates: { order: 'day first', is_guess: false }, rating_of: 5 });
    expect(understood.mapping).toEqual({
      external_id: 'Ticket',
      title: 'Betreff',
      text: 'Beschreibung',
      customer: 'Kunde',
      date: 'Erstellt am',
      value: 'Umsatz',
      rating: 'Bewertung',
      tags: 'Labels',
      link: 'URL',
    });
    expect(understood.signals).toHaveLength(READ_ROWS);
    expect(understood.skipped).toEqual(expected.skipped.map((line) => ({ line, reason: 'It has no text.' })));
    expect([...new Set(understood.notes.map(({ line }) => line))]).toEqual(expected.unreadable);
    const days = understood.signals.map(({ external_id: id = '', date }) => [Number(id.slice(2)), date?.slice(0, 10)]);
    expect(new Map(days.filter(([, day]) => day !== undefined) as [number, string][])).toEqual(expected.days);
    const [first] = understood.signals;
    expect(first).toMatchObject({
      text: 'Größe der Rechnung 1\n\nDie „Übersicht“ lädt nicht;\nerst nach 1 Versuchen, sagt sie "fertig".',
      value: 1200.5,
      rating: 2,
      tags: ['Export'],
      link: 'https://tickets.example/1',
    });
    expect(understood.signals[1]?.tags).toEqual(['Export', 'Rechnung']);
  }
});

test('it goes in by the web application and again by the command line, which changes nothing, as a workbook either', async () => {
  const bytes = windows1252(joinCells(rows, ';'));
  const cwd = mkdtempSync(join(tmpdir(), 'svc-import-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'tickets.csv'), bytes);
  writeFileSync(join(cwd, 'tickets.xlsx'), faultyWorkbook(rows));
  const shown: { document: Counts & { read: number }; prose: string }[] = [];
  const client = {
    send: (method: string, path: string, body?: unknown) => send(method, path.replace('/v1', ''), body),
  } as unknown as Client;
  const program = new Command('svc').exitOverride();
  addSignalCommands(program, {
    cwd,
    common: (command: Command) => command,
    withClient: (_: object, act: (given: Client) => Promise<void>) => act(client),
    withClientToAdd: (_: object, act: (given: Client) => Promise<void>) => act(client),
    repositoryHere: async () => undefined,
    show: (_: object, document: unknown, prose: () => string) =>
      void shown.push({ document: document as (typeof shown)[0]['document'], prose: prose() }),
  });

  expect(await importFile(await read('tickets.csv', bytes))).toEqual({ added: READ_ROWS, updated: 0, unchanged: 0 });
  await program.parseAsync(['import', 'tickets.csv', '--dry-run'], { from: 'user' });
  await program.parseAsync(['import', 'tickets.csv'], { from: 'user' });
  await program.parseAsync(['import', 'tickets.xlsx'], { from: 'user' });

  const [dry, again, workbook] = shown;
  expect(dry?.document.read).toBe(READ_ROWS);
  expect(dry?.prose).toContain(`${READ_ROWS} signals read, ${expected.skipped.length} lines skipped`);
  expect(dry?.prose).toContain(
    'Windows-1252 (a guess: --encoding names another); dates with the day first; ratings out of 5.',
  );
  expect(again?.document).toMatchObject({ added: 0, updated: 0, unchanged: READ_ROWS });
  expect(workbook?.document).toMatchObject({ read: READ_ROWS, added: 0 });
  expect(await send<object>('GET', '/signals/counts')).toMatchObject({
    signals: READ_ROWS,
    customers: expected.customers,
  });
});
