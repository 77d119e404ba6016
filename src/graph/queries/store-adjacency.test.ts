import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { RELATIONS } from '../model/model.ts';
import { gradeOf, relationMask, strongestOf } from '../model/adjacency.ts';
import { readAdjacency } from './store-adjacency.ts';
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

test('an adjacency tells each edge from both of its ends, and who has the methods of an interface', () =>
  withIndexed(FILES, (db) => {
    const { leaving, reaching, kinds, commonness } = readAdjacency(db, {});
    const ids = describeNodes(db, { nodes: Array.from(kinds.keys()) }).map(({ id }) => id);
    const told = (list: typeof leaving, isOut: boolean): string[] =>
      ids.flatMap((near, node) =>
        Array.from(list.ends.subarray(list.starts[node], list.starts[node + 1]), (end, at) => {
          const says = list.says[(list.starts[node] ?? 0) + at] ?? 0;
          const relation = RELATIONS[strongestOf(says, relationMask(undefined))] ?? '';
          const far = ids[end] ?? '';
          return `${isOut ? near : far} ${relation} ${isOut ? far : near} ${gradeOf(says)}`;
        }),
      );

    const out = told(leaving, true);
    expect(told(reaching, false).toSorted()).toEqual(out.toSorted());
    expect(out.filter((edge) => edge.includes(' implements '))).toEqual([
      'sym:Card@pay/pay.go implements sym:Payer@pay/pay.go 1',
    ]);
    // What many tests use is not common for that.
    expect(commonness[ids.indexOf('sym:Card/Pay@pay/pay.go')]).toBe(0);
    expect(out).toContain('sym:TestPay@pay/pay_test.go tests sym:Card/Pay@pay/pay.go 1');
    expect(out).toContain('file:pay/pay.go contains sym:Payer@pay/pay.go 3');
  }));
