import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { withoutIndent } from '../code-words.ts';
import { CopyCall, type ToolCall } from '../components/entity-link.tsx';
import { Badge, Breakable } from '../components/inline.tsx';
import { Panel, Section } from '../components/page.tsx';
import { formatCount } from '../format.ts';
import { Marked } from '../search/marked.tsx';
import { describeUsage, headOf, readAnswer, readLine, type Stretch, readQuote } from './answer-text.ts';
import { type Agent, type AgentAnswer, nextLink, type Source, sourceLink } from './queries.ts';

const TONES = { high: 'good', medium: 'neutral', low: 'warn' } as const;

/** Sources whose quotes are shown whole: what an answer begins with. The others are when they are followed or clicked. */
const SHOWN_WHOLE = 3;

interface AnswerProps {
  answer: AgentAnswer;
  /** The agent that answered, for asking it again. */
  about?: Agent;
  /** The same call for an MCP client. */
  call: ToolCall;
}

/** An answer with its sources, what it could not find, and how it came about. */
export function Answer({ answer, about = 'code', call: mcpCall }: AnswerProps) {
  const { read, sources, confidence, gaps, engine, looked_at: lookedAt, usage, next = [] } = answer;
  const words = [...(read?.names ?? []), ...(read?.words ?? [])].join(' ');
  return (
    <>
      <Panel className="px-4 py-3">
        <Prose answer={answer} />
        {gaps.length > 0 && (
          <p className="mt-3 text-sm text-quiet [overflow-wrap:anywhere]">
            <Line stretches={readLine(`Not found: ${gaps.join('; ')}.`)} />
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3 text-sm text-quiet">
          <Badge tone={TONES[confidence]}>{confidence} confidence</Badge>
          <span>
            {engine === 'evidence' ? 'written without a model' : engine} · {formatCount(lookedAt.calls, 'call')},{' '}
            {formatCount(lookedAt.places, 'place')}
            {usage !== undefined && ` · ${describeUsage(usage)}`}
          </span>
          <span className="ml-auto">
            <CopyCall call={mcpCall} />
          </span>
        </div>
      </Panel>
      <NextSteps calls={next} about={about} repo={sources.find(({ repo }) => repo !== undefined)?.repo} />
      {sources.length > 0 && (
        <Section title="Sources" lead="Lines are those of the index at its commit.">
          <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
            {sources.map((source, at) => (
              <SourceRow key={source.n} source={source} words={words} isWhole={at < SHOWN_WHOLE} />
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

/** Calls that lead on and that this page can make. */
function NextSteps({ calls, ...origin }: { calls: readonly string[]; about: Agent; repo: string | undefined }) {
  const steps = calls.flatMap((call) => nextLink(call, origin) ?? []);
  if (steps.length === 0) return null;
  return (
    <ul className="mt-4 flex flex-wrap gap-2">
      {steps.map(({ label, link }) => (
        <li key={label}>
          <Link
            {...link}
            preload={false}
            className="inline-block rounded-md border border-line bg-panel px-3 py-1.5 text-sm [overflow-wrap:anywhere] hover:border-accent hover:text-accent"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Prose({ answer: { answer } }: { answer: AgentAnswer }) {
  return (
    <div className="max-w-prose [overflow-wrap:anywhere]">
      {readAnswer(answer).map((block, at) =>
        block.as === 'paragraph' ? (
          <p key={at} className="mt-3 first:mt-0">
            <Line stretches={block.stretches} />
          </p>
        ) : (
          <ul key={at} className="mt-1 list-disc pl-5">
            {block.items.map((stretches, item) => (
              <li key={item}>
                <Line stretches={stretches} />
              </li>
            ))}
          </ul>
        ),
      )}
    </div>
  );
}

function Line({ stretches }: { stretches: readonly Stretch[] }) {
  return stretches.map((stretch, at) => {
    if (stretch.as === 'text') return <Fragment key={at}>{stretch.text}</Fragment>;
    if (stretch.as === 'code')
      return (
        <code key={at} className={`font-mono text-[0.92em] ${isName(stretch.text) ? 'inline-block max-w-full' : ''}`}>
          {isName(stretch.text) ? <Breakable text={stretch.text} /> : stretch.text}
        </code>
      );
    return (
      <a key={at} href={`#source-${stretch.number}`} className="text-accent underline">
        [{stretch.number}]
      </a>
    );
  });
}

/** A name or path stands on a line of its own before it breaks; code of several words breaks between them. */
function isName(code: string): boolean {
  return !code.includes(' ');
}

function SourceRow({ source, words, isWhole }: { source: Source; words: string; isWhole: boolean }) {
  const { n, kind, text, why } = source;
  const link = sourceLink(source);
  const { name, place } = headOf(source);
  return (
    <li id={`source-${n}`} tabIndex={-1} className="group px-4 py-2.5 target:bg-accent-soft">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-quiet tabular-nums">[{n}]</span>
        <Badge>{kind}</Badge>
        {link === undefined ? (
          <span className="font-medium [overflow-wrap:anywhere]">
            <Breakable text={name} />
          </span>
        ) : (
          <Link {...link} className="name-link">
            <Breakable text={name} />
          </Link>
        )}
        {place !== '' && (
          <span className="text-sm text-quiet [overflow-wrap:anywhere]">
            <Breakable text={place} />
          </span>
        )}
        {why.length > 0 && <span className="text-sm text-quiet [overflow-wrap:anywhere]">{why.join('; ')}</span>}
      </p>
      {text !== '' && text !== name && (
        <blockquote
          className={`mt-1 border-l-2 border-line pl-3 text-sm [overflow-wrap:anywhere] ${isWhole ? '' : 'max-h-15 overflow-hidden group-focus-within:max-h-none group-target:max-h-none'}`}
        >
          {kind === 'code' ? (
            <QuotedLines quote={text} words={words} />
          ) : (
            <span className="whitespace-pre-wrap text-quiet">{text}</span>
          )}
        </blockquote>
      )}
    </li>
  );
}

/** Quoted code with its line numbers in the margin, the words of the question marked, and a rule where lines are left out. */
function QuotedLines({ quote, words }: { quote: string; words: string }) {
  const lines = readQuote(quote);
  if (lines === undefined)
    return (
      <code className="font-mono whitespace-pre-wrap">
        <Marked text={withoutIndent(quote)} query={words} />
      </code>
    );
  const texts = withoutIndent(lines.map(({ text }) => text).join('\n')).split('\n');
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono leading-5">
      {lines.map(({ number, isAfterGap }, at) => (
        <div
          key={number}
          className={`col-span-2 grid grid-cols-subgrid ${isAfterGap ? 'border-t border-dashed border-line' : ''}`}
        >
          <span className="text-right text-quiet tabular-nums select-none">{number}</span>
          <code className="whitespace-pre-wrap">
            <Marked text={texts[at] ?? ''} query={words} />
          </code>
        </div>
      ))}
    </div>
  );
}
