import { dayOf } from '../kernel/time.ts';
import { dateOfDecision, type DecisionRow } from './store.ts';

/** A decision as a file of a folder of Markdown Architectural Decision Records. */
interface AdrFile {
  /** `0012-use-postgresql.md` */
  path: string;
  content: string;
}

/** The decision in the layout of MADR 4. The same decision gives the same bytes. */
export async function adrFile(row: DecisionRow): Promise<AdrFile> {
  const { stringify } = await import('yaml');
  const { number, slug, title, status, supersededBy, decision, context, options, consequences } = row;
  const fields = {
    status: supersededBy === null ? status : `superseded by ADR-${padNumber(supersededBy)}`,
    date: dayOf(dateOfDecision(row)),
    ...(row.tags.length > 0 && { tags: row.tags }),
    ...(row.reviewOn !== null && { review_on: row.reviewOn }),
  };
  const lines = [
    `---\n${stringify(fields)}---`,
    '',
    `# ${title}`,
    ...section('Context and Problem Statement', context === '' ? [] : [context]),
    ...section(
      'Considered Options',
      options.map(({ name }) => `* ${name}`),
    ),
    ...section('Decision Outcome', [decision]),
    ...(consequences.length === 0
      ? []
      : ['', '### Consequences', '', ...consequences.map((consequence) => `* ${consequence}`)]),
    ...section('Pros and Cons of the Options', options.flatMap(optionLines)),
    ...section(
      'More Information',
      row.links.map((link) => `* ${link}`),
    ),
  ];
  return { path: `${padNumber(number)}-${slug}.md`, content: `${lines.join('\n')}\n` };
}

function optionLines({ name, pros, cons }: DecisionRow['options'][number]): string[] {
  const reasons = [...pros.map((pro) => `* Good, because ${pro}`), ...cons.map((con) => `* Bad, because ${con}`)];
  return reasons.length === 0 ? [] : [`### ${name}`, '', ...reasons, ''];
}

function padNumber(number: number): string {
  return String(number).padStart(4, '0');
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines];
}
