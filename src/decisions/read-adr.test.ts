import { expect, test } from 'vitest';
import { nameOfFile, namesOfRecords, numberOfFile, readAdr } from './read-adr.ts';

const NYGARD = `# 4. Keep sessions in files

Date: 2024-01-02

## Status

Accepted

Superseded by [7. Keep sessions in tables](0007-sessions-in-tables.md)

Amends [2. Sessions](0002-sessions.md)

## Context

Sessions are short.

\`\`\`md
## Decision
\`\`\`

## Decision

Files it is, in \`src/sessions.ts\`.

## Consequences

- Quick
- Lost with
  the disk
`;

const MADR = `---
status: "accepted"
date: 2025-01-02
tags: [data, speed]
---
# Use tables

## Context and Problem Statement

Where do sessions live?

## Considered Options

* Tables
* [Files](https://example.com)

## Decision Outcome

Chosen option: "Tables", because they are there.

### Consequences

* Good, because one thing less

## Pros and Cons of the Options

### Tables

* Good, because known
* Bad, because slower

### Files

* Neutral, because both work

## More Information

See also [ADR-0002](0002-sessions.md).
`;

const LOG4BRAINS = `# Use tables

- Status: superseded by [20240101-x](20240101-x.md)
- Tags: data

## Decision Outcome

Tables.
`;

test('records of adr-tools are read with their links; fenced text is no heading', () => {
  expect(readAdr(NYGARD, 'adr/0004-x.md')).toEqual({
    title: 'Keep sessions in files',
    status: 'superseded',
    decidedOn: '2024-01-02',
    decision: 'Files it is, in `src/sessions.ts`.',
    context: 'Sessions are short.\n\n```md\n## Decision\n```',
    options: [],
    consequences: ['Quick', 'Lost with the disk'],
    tags: [],
    supersedes: [],
    supersededBy: ['0007-sessions-in-tables'],
    related: ['0002-sessions'],
  });
});

test.each([
  ['Accepted\n\nAmended by [4. Later](0004-later.md), the earlier framing is\nsuperseded for this layer.', 'accepted'],
  ['Accepted; the older text was superseded', 'accepted'],
  ['Accepted\n\nThis replaces the deprecated call.', 'accepted'],
  ['Accepted. Superseded by ADR-0012.', 'superseded'],
  ['- Accepted\n- Superseded by ADR-12', 'superseded'],
  ['Superseded by\n[12. New](0012-new.md)', 'superseded'],
  ['2020-01-01 proposed\n2020-02-01 accepted', 'accepted'],
])('the status is what the status line says, not a word of prose: %j', (line, status) => {
  const record = readAdr(`\uFEFF# 3. Rows\n\n## Status\n\n${line}\n\n## Decision\n\nRows.\n`, 'a/0003-rows.md');

  expect(record).toMatchObject({ title: 'Rows', status });
  expect(record?.supersededBy.length).toBe(status === 'superseded' ? 1 : 0);
});

test.each([
  [
    'a table of fields',
    '| Field | Value |\n| --- | --- |\n| **Status** | Deprecated |\n| Date | 2026-01-09 |\n',
    'deprecated',
  ],
  ['a table of one row', '| Status | Date |\n|:--|--:|\n| Rejected | 2026-01-09 |\n', 'rejected'],
  ['a table of options', '| Option | Status |\n| --- | --- |\n', 'accepted'],
  ['a line in bold', '**Status**\n\nDeprecated\n', 'deprecated'],
  ['a heading with a number', '## 1. Status\n\nRejected\n\n## 2. Context\n\nNone.\n', 'rejected'],
  ['a heading', '## Status: Rejected\n\nDate: 2026-01-09\n', 'rejected'],
  ['emphasis', '*Status:* Proposed\n_Date_: 2026-01-09\n', 'proposed'],
])('the status is read from %s', (_, head, status) => {
  const record = readAdr(`# Rows\n\n${head}\n## Decision\n\nRows.\n`, 'a/0003-rows.md');

  expect(record).toMatchObject({ title: 'Rows', status, decision: 'Rows.' });
});

test('records of MADR are read with their options, and what speaks for and against each', () => {
  expect(readAdr(MADR, 'x.md')).toMatchObject({
    title: 'Use tables',
    status: 'accepted',
    decidedOn: '2025-01-02',
    context: 'Where do sessions live?',
    decision: 'Chosen option: "Tables", because they are there.',
    options: [
      { name: 'Tables', pros: ['known'], cons: ['slower'] },
      { name: 'Files', pros: [], cons: [] },
    ],
    consequences: ['Good, because one thing less'],
    tags: ['data', 'speed'],
    related: ['0002-sessions'],
  });
});

test('records of log4brains say their status in a list', () => {
  expect(readAdr(LOG4BRAINS, 'x.md')).toMatchObject({
    status: 'superseded',
    tags: ['data'],
    supersededBy: ['20240101-x'],
  });
});

test('headings in other languages are known by their order', () => {
  const nygard = `# 3. Utiliser PostgreSQL

Date : 2026-02-01

## Statut

Accepté

## Contexte

Il faut des requêtes.

## Décision

PostgreSQL, derrière \`src/db.ts\`.

## Conséquences

- Une base de plus
`;
  const madr = `---
estado: accepted
---
# Usar colas

## Contexto y problema

Los correos se pierden.

## Opciones consideradas

* Colas
* Reintentos

## Resultado

Opción elegida: "Colas", porque aguantan.

## Ventajas

Ninguna.
`;

  expect(readAdr(nygard, 'adr/0003-x.md')).toMatchObject({
    title: 'Utiliser PostgreSQL',
    status: 'proposed',
    unknownStatus: 'Accepté',
    context: 'Il faut des requêtes.',
    decision: 'PostgreSQL, derrière `src/db.ts`.',
  });
  expect(readAdr(madr, 'adr/0004-x.md')).toMatchObject({
    status: 'accepted',
    context: 'Los correos se pierden.',
    decision: 'Opción elegida: "Colas", porque aguantan.',
  });
  const german =
    '# 5. Warten\n\n## Datum\n\n9. 1. 2026\n\n## Status\n\nErsetzt durch [6](0006-y.md)\n\n## Kontext\n\nK.\n\n## Entscheidung\n\nE.\n\n## Folgen\n\nF.\n';
  expect(readAdr(german, 'adr/0005-x.md')).toMatchObject({
    unknownStatus: 'Ersetzt durch [6](0006-y.md)',
    context: 'K.',
    decision: 'E.',
  });
  expect(readAdr('# Notizen\n\n## Eins\n\nErst dies.\n\n## Zwei\n\nDann das.\n', 'adr/x.md')).toBeUndefined();
});

test.each([
  ['a field of any name', '- Zustand: Rejected\n- Wer: Ada\n', 'rejected'],
  ['a row of a table', '| Estado | Superseded |\n| --- | --- |\n| Fecha | 2026-01-09 |\n', 'superseded'],
  ['the first part', '## Estado\n\nDeprecated (2026-01-09)\n', 'deprecated'],
  ['no field that only mentions one', '- Teams: accepted by nobody yet, says Ada\n', 'accepted'],
  ['the field of that name first', '- Kind: final\n- Status: rejected\n', 'rejected'],
])('a status is read by its place: %s', (_, head, status) => {
  expect(readAdr(`# Filas\n\n${head}\n## Decision\n\nFilas.\n`, 'a/0003-filas.md')?.status).toBe(status);
});

test.each([
  ['', 'accepted'],
  ['Accepted', 'accepted'],
  ['✅ Accepted', 'accepted'],
  ['Pending', 'proposed'],
  ['on hold', 'proposed'],
  ['Rejected, too dear', 'rejected'],
  ['Deprecated', 'deprecated'],
  ['Superseded', 'superseded'],
  ['Partly superseded', 'accepted'],
  ['Accepted\nPartially superseded by [9](0009-x.md)', 'accepted'],
  ['Accepted\nSupersedes [3](0003-x.md)', 'accepted'],
  ['Not accepted', 'rejected'],
])('the status %j is %s', (written, status) => {
  const text = `# 1. X\n\n## Status\n\n${written}\n\n## Decision\n\nY.\n`;

  expect(readAdr(text, 'x.md')?.status).toBe(status);
});

test.each([
  ['# X\n\n## Context\n\nNothing was decided.\n', undefined],
  ['# X\n\n## Decision\n\n<!-- to come -->\n', undefined],
  ['# ADR-012: X\n\n## Decision\n\nY.\n', 'X'],
  ['# 12 - X\n\n## Decision\n\nY.\n', 'X'],
  ['# Architecture Decision Record: X\n\n## Decision\n\nY.\n', 'X'],
  ['X\n=\n\nDecision\n--------\n\nY.\n', 'X'],
  ['## Decision\n\nY.\n', 'keep it'],
  ['---\ntitle: "X"\n---\n## Decision\n\nY.\n', 'X'],
  ['# X\n\n## Proposal\n\nY.\n', 'X'],
])('what decides nothing is no record, and each has a title: %j', (text, title) => {
  expect(readAdr(text, 'adr/0012-keep-it.md')?.title).toBe(title);
});

test('a record in a folder of its own is called by the folder', () => {
  expect(nameOfFile('docs/adr/adr-003/README.md')).toBe('adr-003');
  expect(numberOfFile('docs/adr/003-tables/index.md')).toBe('#3');
});

test('records name others by file, by number or by id', () => {
  expect(namesOfRecords('Superseded by [7](../adr/0007-Tables.md#top)')).toEqual(['0007-tables']);
  expect(namesOfRecords('superseded by ADR-0147')).toEqual(['#147']);
  expect(namesOfRecords('Superseded by 7. Keep it')).toEqual(['#7']);
  expect(namesOfRecords('superseded by 0012-use-tables')).toEqual(['0012-use-tables']);
  expect(namesOfRecords('Accepted on 2024-01-02')).toEqual([]);
  expect(['0012-x.md', 'adr-012-x.md', '20240101-x.md', 'x.md'].map(numberOfFile)).toEqual([
    '#12',
    '#12',
    undefined,
    undefined,
  ]);
});

test.each([
  ['# X\n\n* Date: 2024-03-01 (last changed 2024-05-01)\n', '2024-03-01'],
  ['# X\n\n**Decided on:** 3 March 2024\n', '2024-03-03'],
  ['# X\n\n## Date\n\nMarch 4th, 2024\n', '2024-03-04'],
  ['# X\n\nDate: soon\n', null],
  ['# X\n\nUp to date: 2024-03-01\n', null],
])('the day of a record stands where people write it: %j', (head, day) => {
  expect(readAdr(`${head}\n## Decision\n\nTables.\n`, 'x.md')?.decidedOn).toBe(day);
});

test.each([
  ['a status', `## Status\n\naccepted ${'é'.repeat(200_000)}_`],
  ['links', `## Status\n\n${'superseded '.repeat(18_000)}`],
  ['comments', '<!--'.repeat(50_000)],
])('%s that would take minutes by pattern are read at once', (_, part) => {
  const startedAt = process.cpuUsage();

  readAdr(`# Rows\n\n${part}\n\n## Decision\n\nRows.\n\n${part}\n`, 'a/0003-rows.md');

  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(2);
});

test.each(['title: |\n  Use nginx', 'title: "Use nginx"'])('the title of the front matter is read: %j', (title) => {
  const record = `---\n${title}\n---\n\n## Decision\n\nWe use nginx.\n`;

  expect(readAdr(record, 'adr/7.md')?.title).toBe('Use nginx');
});
