import { expect, test } from 'vitest';
import { tokensOf } from '../kernel/budget.ts';
import { type AgentAnswer, useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const code = 'ask_architectureInvestigationAgent';

test('how something works is told from documentation, its callers and what it calls, each with its lines', async () => {
  const { json, text } = await ask(code, 'How does issueRefund pay money back?');

  expect(json.answer).toMatch(
    /^`issueRefund` \(function, src\/refund\.ts:4\) pays the money of an order back to the card that was charged \[1\]/,
  );
  // What the documentation says is cited where it stands.
  expect(json.sources.map(({ quote }) => quote)).toContain(
    '/** Pays the money of an order back to the card that was charged. */',
  );
  expect(json.answer).toContain(
    'A comment in `issueRefund` says: “The bank pays a transfer back once, whatever is booked twice.”',
  );
  expect(json.answer).toMatch(/- `cancelOrder` calls `issueRefund` in src\/shop\.ts:5 \[\d\]\./);
  expect(json.answer).toMatch(
    /- `issueRefund` calls `bookTransfer` \(src\/bank\.ts:4\), which books a transfer at the bank and returns its receipt \[1\](?:\[\d\])+\./,
  );
  expect(json.answer).toMatch(/Decision dec:1 .*Refunds go to the card that was charged/);
  expect(json).toMatchObject({ confidence: 'high', engine: 'deterministic', repo: 'shop', gaps: [] });
  expect(text).toMatch(
    /^ask_architectureInvestigationAgent · shop@[0-9a-f]{7} main fresh · confidence high · engine deterministic/,
  );
});

test('where only words tell the place, others that fit stand before more about it, and the answer is never sure', async () => {
  const named = await ask(code, 'How does issueRefund pay money back?');
  const unnamed = await ask(code, 'How is the money of an order paid back by a transfer to the card that was charged?');

  expect([named.json.confidence, unnamed.json.confidence]).toEqual(['high', 'medium']);
  expect(
    [named, unnamed].map(
      ({ json: { answer } }) => answer.search(/Also involved|may be meant/) < answer.indexOf('calls `bookTransfer`'),
    ),
  ).toEqual([false, true]);
  expect(unnamed.json.answer).toContain('These may be meant as well:');
});

test('how something works is followed beyond what it calls itself', async () => {
  const { json } = await ask(code, 'How does cancelOrder give the customer the money back?');

  expect(json.answer).toMatch(/^`cancelOrder`/);
  expect(json.answer).toContain('- `issueRefund` calls `bookTransfer` ');
  // What says nothing of the question is not followed.
  expect(json.answer).not.toContain('`bookTransfer` calls');
});

test('a way from one end to another is told call by call', async () => {
  const { json } = await ask(code, 'How does a refund get from cancelOrder to the audit trail?');
  const steps = [...json.answer.matchAll(/^- `(\w+)` (?:then )?calls `(\w+)`/gm)].map(([, from, to]) => [from, to]);

  expect(steps).toEqual([
    ['cancelOrder', 'issueRefund'],
    ['issueRefund', 'bookTransfer'],
    ['bookTransfer', 'auditTrail'],
  ]);
});

test('what a question names comes first, though its other words stand elsewhere', async () => {
  const { json } = await ask(code, 'Where does `auditTrail` pay the money of an order back to the card?');

  expect(json.answer).toMatch(/^`auditTrail`/);
});

test('a question to other code is told to be one, with what comes nearest', async () => {
  const { json } = await ask(code, 'How does `GlyphRasterizer.hint` choose subpixel offsets for ligatures?');

  expect(json.confidence).toBe('low');
  expect(json.answer).toMatch(/^This index does not seem to contain it\./);
  expect(json.gaps).toContain('no symbol in the index is called `GlyphRasterizer.hint`');
});

test('a question that names what is there is trusted as a whole, whatever its other parts are about', async () => {
  const { json } = await ask(code, 'How does `issueRefund` pay money back, and how are glyph ligatures hinted?');

  expect(json.confidence).toBe('high');
  expect(json.gaps).toContain('no answer was found in the code to “how are glyph ligatures hinted?”');
});

test('why something is so is told from the message of a commit about it', async () => {
  await shop.bench.commitAndIndex({
    files: { 'src/seal.py': 'def seal_letter(text):\n    stamp = text.strip()\n    return stamp\n' },
    message:
      'feat: strip letters before they are sealed\n\nA letter that ended in a blank was sealed twice, so letters are stripped.',
  });
  const { json } = await ask(code, 'Why are letters stripped before they are sealed?');

  expect(json.answer).toContain(
    '“feat: strip letters before they are sealed”, which says “A letter that ended in a blank was sealed twice, so letters are stripped.”',
  );
  expect(json.gaps).not.toContain('no reason was found in decisions, plans, documents or commit messages');
});

test('an answer keeps to its budget in both forms, and still has its first source', async () => {
  for (const tokens of [200, 400]) {
    const { text, json } = await ask(code, 'How does issueRefund pay money back?', { max_tokens: tokens });
    expect(tokensOf(text)).toBeLessThanOrEqual(tokens);
    expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(tokens * 1.5);
    expect(json.sources[0]).toMatchObject({ n: 1, path: 'src/refund.ts' });
  }
});

test('which files change often is told with who changed them; what of a dependency is not found comes first', async () => {
  const { json } = await ask(
    'ask_architectureInvestigationAgent',
    'Which files are hotspots, who owns them, and does the moon depend on the tide?',
  );

  expect(json.answer).toMatch(/made 1 of 1 commit to it/);
  expect(json.answer).toMatch(/^No folder, package, file or symbol was found for “the moon” and “the tide”/);
  expect(json.confidence).toBe('low');
});

test('whether one folder depends on another is told for plain words, with the import', async () => {
  const { json } = await ask('ask_architectureInvestigationAgent', 'Does the weather depend on the garden?');

  expect(json.answer).toMatch(/^No: `lib\/weather` does not depend on `lib\/garden` within five steps/);
  expect(json.answer).toContain('`lib/garden` depends on `lib/weather` in 1 step');
  expect(json.gaps).toEqual(['dependencies made at run time, by name or by configuration are not detected']);
  expect(JSON.stringify(json)).toContain("from '../weather/forecast.ts'");
});

test('whether one file depends on another is told with the imports on the way', async () => {
  const { json } = await ask('ask_architectureInvestigationAgent', 'Does src/shop.ts depend on src/bank.ts?');

  expect(json.answer).toContain('`src/shop.ts` depends on `src/bank.ts` in 2 steps');
  expect(json.answer).toContain('- `src/refund.ts` imports `src/bank.ts`');
  expect(json.answer).toContain('`src/bank.ts` does not depend on `src/shop.ts` within five steps');
  expect(json.sources.map(({ quote }) => quote)).toContain("import { bookTransfer } from './bank.ts';");
});

test('circles of imports are told with the lines that make them', async () => {
  const { json } = await ask('ask_architectureInvestigationAgent', 'Are there circular imports?');

  expect(json.answer).toMatch(/2 files import each other in a circle: src\/audit\.ts and src\/bank\.ts \[1\]\[2\]\./);
});

test('that there is no circle of imports is an answer, and what a file imports is listed', async () => {
  const none = await ask('ask_architectureInvestigationAgent', 'Is `src/gateway.py` part of an import cycle?');
  expect(none.json.answer).toBe('No circle of imports goes through src/gateway.py.');
  expect(none.json.confidence).toBe('high');

  const { json } = await ask('ask_architectureInvestigationAgent', 'Which modules does src/shop.ts import?');
  expect(json.answer).toBe('`src/shop.ts` depends on src/refund.ts [1].');
});

test('a circle of which the first two files do not import each other is told with an import of it', async () => {
  const imports = { a: 'c', c: 'b', b: 'd', d: 'a' };
  const files = Object.entries(imports).map(([from, to]) => [
    `src/ring/${from}.ts`,
    `import { ${to} } from './${to}.ts';\n\nexport const ${from} = (): unknown => ${to};\n`,
  ]);
  await shop.bench.commitAndIndex({ files: Object.fromEntries(files), message: 'feat: close the ring' });
  const { json } = await ask('ask_architectureInvestigationAgent', 'Is `src/ring/a.ts` part of an import cycle?');

  expect(json.answer).toMatch(/^Yes: 4 files import each other in a circle: src\/ring\/a\.ts/);
  expect(json.sources.map(({ quote }) => quote)).toContain("import { c } from './c.ts';");
});

test('files that did not change together are an answer, and the end of a path names a file', async () => {
  const architecture = 'ask_architectureInvestigationAgent';
  await shop.bench.commitAndIndex({
    files: { 'src/lone.ts': 'export const LONE = 1;\n' },
    message: 'feat: stand alone',
  });
  const { json } = await ask(architecture, 'Which files change together with src/lone.ts?');
  expect(json.answer).toBe('No file changed together with src/lone.ts often enough in the whole history.');

  const way = await ask(architecture, 'Does shop.ts depend on bank.ts?');
  expect(way.json.answer).toContain('`src/shop.ts` depends on `src/bank.ts` in 2 steps');
});

interface Researched extends AgentAnswer {
  findings: { claim: string; corpus: string; sources: number[]; confidence: string; corroboration: number }[];
  contradictions: { a: { claim: string }; b: { claim: string }; why: string }[];
  timeline: { date: string }[];
  run: { state: string; subquestions: string[] };
}

test('research tells what each corpus says, what supports it, and what is missing', async () => {
  const question = 'How does issueRefund pay refunds and what do customers say about the refund?';
  const { json: given, text } = await ask('run_deepResearchWorkflow', question);
  const json = given as Researched;

  expect(json.run).toMatchObject({
    id: expect.stringMatching(/^run:/),
    state: 'done',
    subquestions: ['How does issueRefund pay refunds', 'what do customers say about the refund?'],
  });
  expect(new Set(json.findings.map(({ corpus }) => corpus))).toEqual(
    new Set(['code', 'plans', 'signals', 'decisions']),
  );
  // What customers say is not looked for in code.
  expect(text.match(/- `issueRefund` \(/g)).toHaveLength(1);
  const known = new Set(json.sources.map(({ n }) => n));
  for (const { sources } of json.findings) expect(sources.every((n) => known.has(n))).toBe(true);
  expect(json.timeline.map(({ date }) => date)).toEqual(json.timeline.map(({ date }) => date).toSorted());
  expect(json.gaps.join()).toContain('no document fits');
  // The answer to each part stands first.
  expect(text).toMatch(
    /\nOn “How does issueRefund pay refunds”:\n- `issueRefund`[\s\S]*On “what do customers say about the refund”:\n- /,
  );
});

test('research of one corpus asks no other, and its run can be read again', async () => {
  const { json } = await ask('run_deepResearchWorkflow', 'refund', { corpora: ['signals'] });
  const { findings, run } = json as Researched & { run: { id: string } };

  expect(new Set(findings.map(({ corpus }) => corpus))).toEqual(new Set(['signals']));
  const { json: again } = await ask('run_deepResearchWorkflow', '', { run_id: run.id });
  expect(again).toEqual(json);
  await expect(ask('run_deepResearchWorkflow', '', { run_id: 'run:1' })).rejects.toMatchObject({
    code: 'run_not_found',
  });
});

test('a message without words is refused', async () => {
  await expect(ask(code, ' ?! ')).rejects.toMatchObject({ code: 'bad_argument' });
});
