import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type GoldQuestion, isLead, nameOf, readQuestions } from './questions.ts';

/**
 * How often the code agent without a model leads with the right place and says what must be said, and in how many statements, over
 * `questions.jsonl`: `node bench/answers/index.ts <url> <API key> [--missed]`, with a service that has indexed the repositories at the
 * commits of that file, each under its name. Asks by an MCP client and reads the answer as one gets it. `--missed` tells every question
 * whose answer lacks something, and what.
 */

interface Judged extends GoldQuestion {
  /** The place that the answer is about, as `symbol@path`. */
  about: string;
  isRightPlace: boolean;
  /** Whether a right place is named anywhere in it. */
  isNamed: boolean;
  isRefused: boolean;
  /** Sentences and rows of lists: what there is to read before the sources. */
  statements: number;
  /** Facts that the answer does not say. */
  missing: string[][];
}

const [url = '', key = ''] = process.argv.slice(2);
const client = new Client({ name: 'bench', version: '1' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  }),
);
const judged: Judged[] = [];
for (const question of readQuestions()) judged.push(judge(question, await ask(question)));
await client.close();
const head = ['name', 'questions', 'leads right', 'names it', 'refused', 'facts', 'right and whole', 'statements'];
const rows = [
  ...tabulate(Map.groupBy(judged, nameOf)),
  ...tabulate(Map.groupBy(judged, ({ kind }) => kind)),
  rowOf('all', judged),
];
process.stdout.write(`${head.join('\t')}\n${rows.join('\n')}\n`);
if (process.argv.includes('--missed'))
  for (const one of judged) if (!one.isRightPlace || one.missing.length > 0) process.stdout.write(describeMissed(one));

async function ask(question: GoldQuestion): Promise<string> {
  const { content } = await client.callTool({
    name: 'ask_codeIntelligenceAgent',
    arguments: { message: question.question, repo: nameOf(question) },
  });
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}

function judge(question: GoldQuestion, answer: string): Judged {
  // What an answer is about is what it proposes to read.
  const [, symbol = '', path = ''] = /query="sym:(.+?)@([^"@]+)"/.exec(answer) ?? [];
  const names = question.lead.map((place) => place.symbol.split('/').at(-1) ?? '');
  return {
    ...question,
    about: `${symbol}@${path}`,
    isRightPlace: isLead(question, { path, symbol }),
    isNamed: question.lead.some((place, at) => answer.includes(place.path) && answer.includes(names[at] ?? '')),
    isRefused: answer.includes('does not seem to contain it'),
    statements: countStatements(answer),
    missing: question.facts.filter((ways) => !ways.some((way) => new RegExp(way, 'i').test(answer))),
  };
}

/** Each ends with the numbers of its sources. */
function countStatements(answer: string): number {
  const [told = ''] = answer.split(/^sources$/m);
  return told.match(/(?:\[\d+\])+/g)?.length ?? 0;
}

function tabulate(groups: Map<string, Judged[]>): string[] {
  return [...groups].map(([name, own]) => rowOf(name, own));
}

function rowOf(name: string, own: readonly Judged[]): string {
  const facts = own.flatMap((one) => one.facts).length;
  const missing = own.flatMap((one) => one.missing).length;
  const named = own.filter(({ isNamed }) => isNamed);
  const shares = [
    percent(own.filter(({ isRightPlace }) => isRightPlace).length, own.length),
    percent(named.length, own.length),
    percent(own.filter(({ isRefused }) => isRefused).length, own.length),
    percent(facts - missing, facts),
    percent(named.filter((one) => one.missing.length === 0).length, own.length),
  ];
  const statements = own.reduce((sum, one) => sum + one.statements, 0) / own.length;
  return [name, own.length, ...shares, statements.toFixed(1)].join('\t');
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(0)} %`;
}

function describeMissed({ repository, question, about, isRightPlace, missing, lead }: Judged): string {
  const wanted = isRightPlace ? '' : `, not ${lead.map(({ path, symbol }) => `${symbol}@${path}`).join(' or ')}`;
  const lacks = missing.map((ways) => `  does not say ${ways.join(' | ')}\n`).join('');
  return `\n${repository}: ${question}\n  leads with ${about}${wanted}\n${lacks}`;
}
