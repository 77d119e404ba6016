import { useQuery } from '@tanstack/react-query';
import { Section } from '../components/page.tsx';
import { Table, Cell, RowHeader } from '../components/table.tsx';
import { formatCost, formatDay, formatNumber } from '../format.ts';
import { MODEL_USAGE_DAYS, modelUsageQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

/** Cost of the language model's answers for an API key, by day; nothing without any, and for people who may not see it. */
export function ModelCost({ keyId, product }: { keyId: string; product: string }) {
  const { atLeast } = useSession();
  const { data } = useQuery({ ...modelUsageQuery(product), enabled: atLeast('admin') });
  const days = (data?.days ?? []).filter(({ key_id: of }) => of === keyId);
  if (days.length === 0) return null;
  const total = days.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <Section
      title="Language model"
      lead={`Answers that a model wrote for this key in the last ${MODEL_USAGE_DAYS} days (UTC)${total === 0 ? '' : `: ${formatCost(total)} in all, in the currency of your price`}.`}
    >
      <Table
        caption="Answers of the language model by day"
        columns={[
          'Day',
          'Model',
          ['Answers', 'text-right'],
          ['Tokens read', 'text-right'],
          ['Tokens written', 'text-right'],
          total > 0 && ['Cost', 'text-right'],
        ]}
      >
        {days.map(({ day, model, answers, input_tokens: input, output_tokens: output, cost }) => (
          <tr key={`${day} ${model}`}>
            <RowHeader className="font-normal whitespace-nowrap">{formatDay(day)}</RowHeader>
            <Cell>{model}</Cell>
            {[answers, input, output].map((count, at) => (
              <Cell key={at} className="text-right tabular-nums">
                {formatNumber(count)}
              </Cell>
            ))}
            {total > 0 && <Cell className="text-right tabular-nums">{formatCost(cost)}</Cell>}
          </tr>
        ))}
      </Table>
    </Section>
  );
}
