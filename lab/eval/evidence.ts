import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const AGENT = 'ask_codeIntelligenceAgent';
/** Tokens of the text that count, in the rows of the table; a default call gives at most the last. */
const BUDGETS = [750, 1_500, 3_000];
/** A machine at work may need longer than a call may take. */
const TRIES = 3;

interface Question {
  id: string;
  /** The repository under the name that it is indexed by. */
  name: string;
  kind: string;
  foreign: boolean;
  question: string;
}

interface Prediction {
  id: string;
  text: string;
  sources: { path?: string; start?: number; end?: number; commit?: string; kind?: string }[];
  confidence: number;
}

interface Grade {
  sufficient: boolean;
  recall: number;
  first: boolean;
  five: boolean;
  tokens: number;
}

/** The graders of briefs: a folder of their own outside this project. */
interface Graders {
  load: (split: 'dev') => Question[];
  gradeOne: (question: Question, prediction: Prediction, budget: number) => Grade;
  auc: (own: number[], foreign: number[]) => number;
  mean: (values: number[]) => number;
  median: (values: number[]) => number;
}

/**
 * Asks a running service (`SVC_URL`, `SVC_KEY`) every question of the graders over MCP, with a default call and as the text
 * that a client gets, and prints how often the lines that hold the answer are in it. Their repositories are indexed before,
 * at the pinned commits and under the names of the questions.
 */
export async function evaluateBriefs(folder: string): Promise<void> {
  const [lib, grade] = await Promise.all(
    ['lib.ts', 'grade.ts'].map((file) => import(pathToFileURL(join(folder, file)).href)),
  );
  // The folder is that of the graders; what else it is fails at the first call.
  const graders = { ...(lib as object), ...(grade as object) } as Graders;
  const [own, foreign] = [false, true].map((isForeign) => graders.load('dev').filter((q) => q.foreign === isForeign));
  const predictions = new Map<string, Prediction>();
  for (const question of [...(own ?? []), ...(foreign ?? [])]) predictions.set(question.id, await predict(question));
  const confidences = (all: readonly Question[] = []): number[] =>
    all.map(({ id }) => predictions.get(id)?.confidence ?? 0);
  const auc = graders.auc(confidences(own), confidences(foreign));
  console.log(`${AGENT}, a default call over MCP: ${own?.length ?? 0} questions, AUC of confidence ${auc.toFixed(2)}`);
  console.log('tokens  sufficient  recall  first  in five  median tokens');
  for (const budget of BUDGETS) {
    const grades = (own ?? []).flatMap((question) => {
      const prediction = predictions.get(question.id);
      return prediction === undefined ? [] : [graders.gradeOne(question, prediction, budget)];
    });
    const share = (pick: (one: Grade) => boolean | number): string =>
      (100 * graders.mean(grades.map((one) => Number(pick(one))))).toFixed(1);
    const needed = graders.median(grades.filter(({ sufficient }) => sufficient).map(({ tokens }) => tokens));
    const figures = [share((one) => one.sufficient), share((one) => one.recall), share((one) => one.first)];
    console.log(
      [budget, ...figures, share((one) => one.five), needed].map((cell) => String(cell).padStart(8)).join(' '),
    );
  }
}

async function predict({ id, name, question }: Question): Promise<Prediction> {
  let text = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    text = await callAgent({ message: question, repo: name });
    if (!text.startsWith('error timed_out')) break;
  }
  return { id, text, sources: sourcesIn(text), confidence: Number(/confidence \w+ \(([\d.]+)\)/.exec(text)?.[1] ?? 0) };
}

/** The text block of a call, as an MCP client gets it. */
async function callAgent(args: Record<string, unknown>): Promise<string> {
  const { SVC_URL: url = 'http://127.0.0.1:4000', SVC_KEY: key = '' } = process.env;
  const response = await fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: AGENT, arguments: args } }),
  });
  if (!response.ok) throw new Error(`The service answered with status ${response.status}: set SVC_URL and SVC_KEY.`);
  const body = await response.text();
  const events = body.split('\n').filter((line) => line.startsWith('data:'));
  const json = body.startsWith('{') ? body : events.map((line) => line.slice('data:'.length)).join('');
  const { result } = JSON.parse(json) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

/** The sources of a brief, as its lines `[n] path:from-to` name them. */
function sourcesIn(text: string): Prediction['sources'] {
  const heads = text.matchAll(/^\[\d+\] (?:(\w+) )?(\S+?)(?::(\d+)(?:-(\d+))?)?(?: in .*)?(?: · .*)?$/gm);
  return Array.from(heads, ([, kind, path = '', start, end = start]) =>
    kind === 'commit'
      ? { kind, commit: path.replace(/^c:/, '') }
      : { path, ...(start !== undefined && { start: Number(start), end: Number(end) }) },
  );
}
