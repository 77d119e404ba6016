import { expect, test } from 'vitest';
import type { CallContext } from '../../platform/operation/operation.ts';
import { type AgentTools, Tools } from './tools.ts';
import { findWay } from './way.ts';

/** A function: what its calls are resolved to, in their order, and what its body calls on objects that nobody knows. */
interface Code {
  calls?: readonly string[];
  opens?: readonly string[];
}
/** Functions by `Type/name`; what a search finds for a text, the best first; the methods of a type. */
interface Program {
  code: Readonly<Record<string, Code>>;
  found?: Readonly<Record<string, readonly string[]>>;
  types?: Readonly<Record<string, readonly string[]>>;
}

const GOAL = 'parcel label printer';

/** The names on the way from `begin` to the goal, those that only a name tells with a question mark. */
async function wayIn(program: Program, from = '`begin`'): Promise<string[] | undefined> {
  const asked: Record<string, unknown>[] = [];
  const parts: AgentTools = {
    ask: async (_, args) => {
      asked.push(args);
      const rows = answer(program, args);
      return { repo: 'shop', total: rows.length, rows };
    },
    offered: () => ['code-tool'],
    budget: { left: async () => 0, record: async () => undefined },
    onFault: () => undefined,
  };
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => new Date(), progress: () => undefined };
  const names = [...from.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const more = { names, worthOf: (text: string) => Number(text.includes('asked')) };
  const way = await findWay(new Tools(parts, context, 'shop'), { from, to: GOAL }, more);
  return way?.map(({ to, isByName }) => `${to.symbol}${isByName ? '?' : ''}`);
}

/** What the code tool says of a program, each function in a file of its own whose name says nothing. */
function answer(program: Program, args: Record<string, unknown>): object[] {
  const { code, found = {}, types = {} } = program;
  const query = String(args['query']);
  const symbol = /^sym:(.*)@/.exec(query)?.[1];
  switch (args['action']) {
    case 'semantic_search':
      return (found[query] ?? []).map((name, at) => ({
        ...placeIn(program, name),
        symbol: name,
        score: 0.9 - at / 50,
      }));
    case 'definition': {
      const named = (name: string): boolean => (symbol === undefined ? lastOf(name) === query : name === symbol);
      const names = [...Object.keys(code), ...Object.keys(types)].filter(named);
      return names.slice(0, Number(args['limit'] ?? 9)).map((name) => ({ ...placeIn(program, name), qualified: name }));
    }
    case 'outline':
      return Object.entries(types)
        .filter(([name]) => placeIn(program, name).path === query)
        .flatMap(([, members]) => members.map((id) => ({ kind: 'method', id: `sym:${id}@${query}` })));
    case 'dependencies':
      return edgesOf(program, symbol ?? '', Number(args['depth']));
    default:
      return [];
  }
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function placeIn({ code, types = {} }: Program, name: string) {
  const { opens = [] } = code[name] ?? {};
  const owner = Object.entries(types).find(([, members]) => members.includes(name))?.[0] ?? name;
  const path = `src/x${Object.keys({ ...types, ...code }).indexOf(owner)}.ts`;
  const body = ['f() {', ...opens.map((call) => `  this.${call}();`), '}'].join('\n');
  return { path, start: 1, end: 3, kind: name in types ? 'class' : 'function', signature: '', doc: '', body };
}

function edgesOf(program: Program, start: string, depth: number): object[] {
  const handle = (name: string): string => `sym:${name}@${placeIn(program, name).path}`;
  const edges: object[] = [];
  let last = [start];
  for (let hop = 1; hop <= depth; hop += 1) {
    const pairs = last.flatMap((from) => (program.code[from]?.calls ?? []).map((to) => [from, to] as const));
    for (const [from, to] of pairs) edges.push({ from: handle(from), to: handle(to), hop, grade: 'resolved' });
    last = pairs.map(([, to]) => to);
  }
  return edges;
}

/** Functions that each call the next one. */
function chain(...names: string[]): Record<string, Code> {
  return Object.fromEntries(names.map((name, at) => [name, { calls: names.slice(at + 1, at + 2) }]));
}
const numbered = (count: number, name: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => name(at + 1));
const END = 'parcelLabelPrinter';

test('a way is followed over four calls, and not over five', async () => {
  expect(await wayIn({ code: chain('begin', 'a', 'b', 'c', END) })).toEqual(['a', 'b', 'c', END]);
  expect(await wayIn({ code: chain('begin', 'a', 'b', 'c', 'd', END) })).toBeUndefined();
});

test('two calls more are worth a better name, and not one that is little better', async () => {
  const near = `${END}QueueJobs`;
  const better = { ...chain('begin', 'a', 'b', `${END}Queue`), ...chain(`${near}Old`) };
  // Of three words, of which one, two, three or four are others: 1, 0.8, 0.67, 0.57 of the end.
  expect(await wayIn({ code: { ...better, ...chain(near), begin: { calls: ['a', near] } } })).toEqual([
    'a',
    'b',
    `${END}Queue`,
  ]);
  const little = { ...chain('begin', 'a', 'b', near), ...chain(`${near}Old`) };
  expect(await wayIn({ code: { ...little, begin: { calls: ['a', `${near}Old`] } } })).toEqual([`${near}Old`]);
});

test('the name of an end has at least half of its words', async () => {
  expect(await wayIn({ code: chain('begin', 'parcelLabel') })).toEqual(['parcelLabel']);
  expect(await wayIn({ code: chain('begin', 'parcel') })).toBeUndefined();
});

test('of the places that a search finds for the end the first ten are it, none as surely as one of its name', async () => {
  const names = numbered(12, (at) => `f${at}`);
  const to = async (name: string): Promise<string[] | undefined> =>
    wayIn({
      code: {
        begin: { calls: [name] },
        ...Object.fromEntries(names.map((f) => [f, {}])),
      },
      found: { [GOAL]: names },
    });

  expect(await to('f10')).toEqual(['f10']);
  expect(await to('f12')).toBeUndefined();
  const code = { begin: { calls: ['f1', END] }, f1: {}, [END]: {} };
  expect(await wayIn({ code, found: { [GOAL]: ['f1'] } })).toEqual([END]);
});

test('a way starts at one of the four best places, or at one of eight methods of a type', async () => {
  const places = numbered(5, (at) => `s${at}`);
  const from = async (name: string): Promise<string[] | undefined> =>
    wayIn(
      {
        code: { ...Object.fromEntries(places.map((place) => [place, {}])), ...chain(name, END) },
        found: { start: places },
      },
      'start',
    );
  expect(await from('s4')).toEqual([END]);
  expect(await from('s5')).toBeUndefined();

  const members = numbered(9, (at) => `Begin/m${at}`);
  const inType = async (name: string): Promise<string[] | undefined> =>
    wayIn(
      {
        code: { ...Object.fromEntries(members.map((member) => [member, {}])), ...chain(name, END) },
        types: { Begin: members },
      },
      '`Begin`',
    );
  expect(await inType('Begin/m8')).toEqual([END]);
  expect(await inType('Begin/m9')).toBeUndefined();
});

test('where calls are open, five functions, eight names and two functions of each are tried', async () => {
  const callees = numbered(5, (at) => `c${at}`);
  const openIn = async (name: string): Promise<string[] | undefined> =>
    wayIn({
      code: {
        begin: { calls: callees },
        ...Object.fromEntries(callees.map((callee) => [callee, {}])),
        [name]: { opens: ['mailer.printOut'] },
        'MailerType/printOut': { calls: [END] },
        [END]: {},
      },
    });
  expect(await openIn('c4')).toEqual(['c4', 'MailerType/printOut?', END]);
  expect(await openIn('c5')).toBeUndefined();

  const names = numbered(9, (at) => `run${at}`);
  const open = async (name: string): Promise<string[] | undefined> =>
    wayIn({
      code: {
        begin: { opens: names.map((run) => `mailer.${run}`) },
        ...Object.fromEntries(names.map((run) => [`Mailer/${run}`, {}])),
        [`Mailer/${name}`]: { calls: [END] },
        [END]: {},
      },
    });
  expect(await open('run8')).toEqual(['Mailer/run8?', END]);
  expect(await open('run9')).toBeUndefined();

  const types = numbered(3, (at) => `Mailer${at}/go`);
  const ofName = async (name: string): Promise<string[] | undefined> =>
    wayIn({
      code: {
        begin: { opens: ['mailer.goOut'] },
        ...Object.fromEntries(types.map((type) => [`${type}Out`, {}])),
        [`${name}Out`]: { calls: [END] },
        [END]: {},
      },
    });
  expect(await ofName('Mailer2/go')).toEqual(['Mailer2/goOut?', END]);
  expect(await ofName('Mailer3/go')).toBeUndefined();
});

test('two open calls in a row are gone over, and not three', async () => {
  const two = {
    begin: { opens: ['mailer.one'] },
    'Mailer/one': { opens: ['poster.two'] },
    'Poster/two': { calls: [END] },
    [END]: {},
  };
  expect(await wayIn({ code: two })).toEqual(['Mailer/one?', 'Poster/two?', END]);
  const three = { ...two, 'Poster/two': { opens: ['sender.three'] }, 'Sender/three': { calls: [END] } };
  expect(await wayIn({ code: three })).toBeUndefined();
});

test('what a method is called on is called like its type by four letters and more', async () => {
  const on = async (receiver: string, type: string): Promise<string[] | undefined> =>
    wayIn({ code: { begin: { opens: [`${receiver}.run`] }, [`${type}/run`]: { calls: [END] }, [END]: {} } });
  expect(await on('mail', 'MailQueue')).toEqual(['MailQueue/run?', END]);
  expect(await on('api', 'ApiQueue')).toBeUndefined();
});
