import { expect, onTestFinished, test } from 'vitest';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { addStoredValues } from '../../code/stored/stored.ts';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { RELATIONS } from '../model/model.ts';
import { type Adjacency, gradeOf, relationMask, strongestOf, visitEdgesAt } from '../model/adjacency.ts';
import { writeWholeGraph } from '../stored/stored.ts';
import { FILE_ADJACENCY, readAdjacency } from './store-adjacency.ts';
import { describeNodes } from './store.ts';

const FILES = {
  'go.mod': 'module example.com/shop\n',
  'pay/pay.go': `package pay

type Payer interface {
	Pay(cents int) error
}

type Card struct{}

func (c *Card) Pay(cents int) error {
	return nil
}

type Coin struct{}

func (c *Coin) Pay() {}
`,
  'pay/pay_test.go': `package pay

func TestPay() {
	card := Card{}
	card.Pay(1)
}
${Array.from({ length: 20 }, (_, at) => `func TestPay${at}() {\n\tcard := Card{}\n\tcard.Pay(1)\n}\n`).join('')}`,
};

const ALL = relationMask(undefined);

/** The edges of an adjacency by one of their ends, in words. */
function namedEdges(db: ShardDatabase, adjacency: Adjacency, side: 'leaving' | 'reaching'): string[] {
  const ids = describeNodes(db, { nodes: Array.from(adjacency.kinds.keys()) }).map(({ id }) => id);
  return ids.flatMap((near, node) => {
    const lines: string[] = [];
    visitEdgesAt(adjacency, [node, side], (end, says) => {
      const far = ids[end] ?? '';
      const [from, to] = side === 'leaving' ? [near, far] : [far, near];
      lines.push(`${from} ${RELATIONS[strongestOf(says, ALL)] ?? ''} ${to} ${gradeOf(says)}`);
    });
    return lines;
  });
}

test('an adjacency tells each edge from both of its ends, and who has the methods of an interface', () =>
  withIndexed(FILES, (db) => {
    const adjacency = readAdjacency(db, { mostBytes: Infinity });
    const { kinds, commonness } = adjacency;
    const ids = describeNodes(db, { nodes: Array.from(kinds.keys()) }).map(({ id }) => id);

    const out = namedEdges(db, adjacency, 'leaving');
    expect(namedEdges(db, adjacency, 'reaching').toSorted()).toEqual(out.toSorted());
    expect(out.filter((edge) => edge.includes(' implements '))).toEqual([
      'sym:Card@pay/pay.go implements sym:Payer@pay/pay.go 1',
    ]);
    // What many tests use is not common for that.
    expect(commonness[ids.indexOf('sym:Card/Pay@pay/pay.go')]).toBe(0);
    expect(out).toContain('sym:TestPay@pay/pay_test.go tests sym:Card/Pay@pay/pay.go 1');
    expect(out).toContain('file:pay/pay.go contains sym:Payer@pay/pay.go 3');
  }));

test('what the index holds is read as it was computed, and without edges of symbols when it is too large', () =>
  withIndexed(FILES, (db, file) => {
    const computed = readAdjacency(db, { mostBytes: Infinity });
    expect(writeWholeGraph(file)).toEqual([]);
    addStoredValues(file, [FILE_ADJACENCY]);

    const stored = openShard(file, CODE_FORMAT);
    onTestFinished(() => stored.close());
    const [whole, part] = [Infinity, 10].map((mostBytes) => readAdjacency(stored, { mostBytes }));
    if (whole === undefined || part === undefined) throw new Error('There is nothing.');

    expect(namedEdges(stored, whole, 'leaving')).toEqual(namedEdges(db, computed, 'leaving'));
    expect([whole.kinds, whole.commonness]).toEqual([computed.kinds, computed.commonness]);
    expect([whole.isPartial, part.isPartial]).toEqual([false, true]);
    const relations = new Set(namedEdges(stored, part, 'leaving').map((edge) => edge.split(' ')[1]));
    expect(relations).toEqual(new Set(['contains', 'tests']));
  }));
