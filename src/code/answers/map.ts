import { bodyOfRow } from '../../platform/row-body.ts';
import { CODE_ROWS } from '../outputs/outputs.ts';
import { shorten } from '../../kernel/shown-values.ts';
import type { Row } from '../../kernel/answer.ts';
import { describeOmitted } from '../../languages/facts/file-content.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';
import { counted } from '../../kernel/counted.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { Task } from '../map/manifests.ts';
import type { EntryFileRow } from '../map/store-entries.ts';
import type { LayerRow } from '../map/store-layers.ts';
import type { PackageRow, RepositoryMap, TestsRow } from '../map/map.ts';
import type { ActionCall } from './code-tool-input.ts';
import { emptyNotes, type RowMaker, rowMaker, symbolHandle, tidyHead } from './rows.ts';

/** Defaults of a map: a page of it is read whole. */
export const MAP_DEFAULTS = { limit: 60, max_tokens: 1_500 } as const;

/** Room for the header, the notes and the cursor, in characters; less in a small budget. */
const FRAME = 620;
const MOST_FRAME_SHARE = 0.5;
const CHARACTERS_PER_TOKEN = 3.5;

const MOST_LANGUAGES = 6;
const MOST_USES = 6;
/** Folders that two paths share before one is shortened. */
const LEAST_SHARED = 3;
const MOST_DOC = 90;
const MOST_SIGNATURE = 110;

/** The parts in the order they are shown, and how many rows of each make one round: the first rows of all come first. */
const PARTS = [
  ['packages', 6],
  ['tasks', 6],
  ['tests', 3],
  ['entries', 5],
  ['layers', 10],
  ['symbols', 12],
] as const;

/** Packages that are named for which a command does the same. */
const MOST_PACKAGES = 8;

type PartName = (typeof PARTS)[number][0];

const HEADINGS: Record<PartName, string> = {
  packages: 'packages',
  tasks: 'how to build and test',
  tests: 'where the tests are',
  entries: 'entry points',
  layers: 'folders and the folders they use (pairs of files)',
  symbols: 'central symbols by rank',
};

/**
 * `map`: packages, tasks, tests, entry points, folders and central symbols of a repository or a part of it. A page takes the
 * first rows of every part, as many as fit; the next ones go on in rounds, so that all pages together are the whole.
 */
export async function mapAnswer(call: ActionCall): Promise<Findings> {
  const path = call.args.path ?? call.args.query;
  const { limit, tests } = call.args;
  const most = call.offset + limit;
  const scoped = { ...call, args: { ...call.args, path } };
  const answers = await call.sources.askAll(['codeMap', { path, tests, most }]);
  const maps = answers.flatMap(({ repository, result }) =>
    result.files === 0 ? [] : [{ make: rowMaker(call, repository), map: result }],
  );
  const counts: Record<string, number> = {};
  for (const [part] of PARTS) counts[COUNT_NAMES[part]] = maps.reduce((sum, { map }) => sum + map[part].total, 0);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const page = inRounds(maps, most).slice(call.offset);
  const rows = takeFitting(call, page);
  const remaining = total - call.offset - rows.length;
  return {
    total,
    counts,
    rows,
    notes: [
      ...maps.map(({ map, make }) => `${make.group('')}${languagesLine(map)}`),
      ...(total === 0 ? await emptyNotes(scoped) : []),
      ...(remaining > 0 && rows.length < limit
        ? [`cut at max_tokens=${call.args.max_tokens}: ${remaining} more rows by next`]
        : []),
    ],
    extra: maps.length === 1 && maps[0] !== undefined ? mapJson(maps[0].map) : {},
  };
}

const COUNT_NAMES: Record<PartName, string> = {
  packages: 'packages',
  tasks: 'tasks',
  tests: 'folders with tests',
  entries: 'entry points',
  layers: 'folders',
  symbols: 'symbols',
};

interface MapOf {
  make: RowMaker;
  map: RepositoryMap;
}

/** The first `most` rows of all parts in rounds. */
function inRounds(maps: readonly MapOf[], most: number): Row[] {
  const rows: Row[] = [];
  for (let round = 0; rows.length < most; round += 1) {
    const before = rows.length;
    for (const map of maps) for (const [part, size] of PARTS) rows.push(...partRows(map, part, [round * size, size]));
    if (rows.length === before) break;
  }
  return rows.slice(0, most);
}

function partRows({ make, map }: MapOf, part: PartName, [from, count]: readonly [number, number]): Row[] {
  const group = make.group(HEADINGS[part]);
  const of = <One>(list: readonly One[], line: (item: One, index: number) => Shown): Row[] =>
    list.slice(from, from + count).map((item, index) => {
      const { id, text, json } = line(item, from + index);
      return { group, id, line: text, json: { ...make.repo, part, ...json } };
    });
  switch (part) {
    case 'packages':
      return of(map.packages.rows, packageLine);
    case 'tasks':
      return of(map.tasks.rows, taskLine);
    case 'tests':
      return of(map.tests.rows, testsLine);
    case 'entries':
      return of(map.entries.rows, entryLine);
    case 'layers':
      return of(map.layers.rows, layerLine);
    default:
      return of(map.symbols.rows, symbolLine);
  }
}

interface Shown {
  id: string;
  text: string;
  json: Record<string, unknown>;
}

function packageLine({ package: name, path, manifest, role, files, languages }: PackageRow): Shown {
  const [language] = Object.keys(languages);
  const about = [role, counted(files, 'file'), ...(language === undefined ? [] : [language])].join(', ');
  return {
    id: name,
    text: `${path} ${name === '.' ? '' : `${name} `}(${about}) ${manifest}`,
    json: { package: name, path, role, files, languages, manifest },
  };
}

function taskLine({ task, command, path, also = [] }: Task): Shown {
  const more = also.length > MOST_PACKAGES ? `, … ${also.length - MOST_PACKAGES} more` : '';
  const others = also.length === 0 ? '' : `, the same in ${also.slice(0, MOST_PACKAGES).join(', ')}${more}`;
  return {
    id: command,
    text: `${task}: ${command} · ${path}${others}`,
    json: { task, command, path, ...(also.length > 0 && { also }), role: 'build' },
  };
}

function testsLine({ path, files, pattern }: TestsRow): Shown {
  return {
    id: path,
    text: `${path} ${counted(files, 'file')}, mostly ${pattern}`,
    json: { path, role: 'test', files, pattern },
  };
}

function entryLine({ path, line, symbol, reason }: EntryFileRow): Shown {
  const place = symbol === '' ? path : `${path}:${line} ${symbol}`;
  return { id: place, text: `${place} (${reason})`, json: { path, line, symbol, role: 'entry', reason } };
}

function layerLine({ path, files, uses }: LayerRow): Shown {
  const shown = uses.slice(0, MOST_USES).map((use) => `${shortPath(path, use.path)} ${use.files}`);
  const more = uses.length > MOST_USES ? ` and ${uses.length - MOST_USES} more` : '';
  const text = uses.length === 0 ? 'uses no other' : `→ ${shown.join(', ')}${more}`;
  return { id: path, text: `${path} (${files}) ${text}`, json: { path, role: 'library', files, uses } };
}

/** A path as seen from another: what they share is left out but for its last folder, where that is three folders or more. */
function shortPath(from: string, path: string): string {
  const [own, parts] = [from.split('/'), path.split('/')];
  const at = parts.findIndex((part, index) => part !== own[index]);
  const shared = at === -1 ? parts.length : at;
  return shared < LEAST_SHARED ? path : `…/${parts.slice(shared - 1).join('/')}`;
}

function symbolLine(row: SymbolRow, index: number): Shown {
  const { path, line, kind, qualified, signature, doc } = row;
  const head = shorten(signature === '' ? `${kind} ${qualified}` : tidyHead(signature), MOST_SIGNATURE);
  return {
    id: `${path}:${line} ${qualified}`,
    text: `${path}:${line} ${head}${doc === '' ? '' : `  // ${shorten(doc, MOST_DOC)}`}`,
    json: bodyOfRow(CODE_ROWS.central, row, { rank: index + 1, id: symbolHandle(row) }),
  };
}

/** As many rows as fit beside the header and the notes; one at least, so that pages go on. */
function takeFitting(call: ActionCall, rows: readonly Row[]): Row[] {
  const { max_tokens: tokens, format, detail } = call.args;
  const budget = Math.floor(tokens * CHARACTERS_PER_TOKEN);
  let remaining = budget - Math.min(FRAME, budget * MOST_FRAME_SHARE);
  let group: string | undefined;
  const selected: Row[] = [];
  for (const row of rows) {
    const text = detail === 'ids' ? row.id : row.line;
    remaining -= format === 'json' ? JSON.stringify(row.json).length + 1 : text.length + 2;
    if (format !== 'json' && row.group !== group) remaining -= row.group.length + 1;
    if (remaining < 0 && selected.length > 0) break;
    group = row.group;
    selected.push(row);
  }
  return selected;
}

function languagesLine({ files, lines, languages, omitted }: RepositoryMap): string {
  const shares = Object.entries(languages)
    .filter(([, share]) => share >= 0.005)
    .slice(0, MOST_LANGUAGES)
    .map(([language, share]) => `${language} ${Math.round(share * 100)}%`);
  const others = describeOmitted(omitted);
  return [
    `${counted(files, 'file')}, ${counted(lines, 'line')}`,
    ...(shares.length === 0 ? [] : [`: ${shares.join(', ')}`]),
    ...(others === '' ? [] : [` (left out: ${others})`]),
  ].join('');
}

function mapJson({ files, lines, languages, omitted }: RepositoryMap): Record<string, unknown> {
  return { files, lines, languages, omitted };
}
