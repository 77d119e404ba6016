import type { Root, RootContent } from 'mdast';
import { type ReactNode, useMemo } from 'react';
import Reader, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import './markdown.css';

const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const DEEPEST = 6;

/** Elements whose plain form would fetch from elsewhere, leave the page unprotected, or say nothing to a screen reader. */
const ELEMENTS: Components = {
  a: ({ href, children }) => {
    // What is not a whole address is a path in the repository that the text comes from, which is not served here.
    if (href === undefined || !/^(?:https?|mailto):/i.test(href)) return <span>{children}</span>;
    return (
      <a href={href} rel="noopener noreferrer nofollow" target="_blank">
        {children}
      </a>
    );
  },
  img: ({ alt }) => <span className="text-quiet">[image{alt === undefined || alt === '' ? '' : `: ${alt}`}]</span>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'done' : 'to do'} className="mr-1">
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  // A header without a text is none: screen readers would announce it as one.
  th: ({ children, style }) => (children === undefined ? <td style={style} /> : <th style={style}>{children}</th>),
  // As wide as its lines, which would say something else when they break.
  pre: ({ children }) => (
    <pre tabIndex={0} role="group" aria-label="Code">
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

interface MarkdownProps {
  text: string;
  /** Level of the heading above it. */
  under?: number;
  /** Replaces a text in back-quotes; undefined for plain code. */
  linkCode?: (code: string) => ReactNode | undefined;
}

/**
 * Markdown that somebody wrote, as a page shows it: raw HTML is left out, images are not fetched, links open elsewhere.
 * Its headings begin below the one above it and skip none.
 */
export function Markdown({ text, under = 2, linkCode }: MarkdownProps) {
  const elements = useMemo(() => (linkCode === undefined ? ELEMENTS : withLinks(linkCode)), [linkCode]);
  return (
    <div className="prose">
      <Reader
        skipHtml
        remarkPlugins={[remarkGfm, [fitHeadings, under]]}
        remarkRehypeOptions={{ clobberPrefix: 'text-' }}
        components={elements}
      >
        {text.replace(FRONT_MATTER, '')}
      </Reader>
    </div>
  );
}

function withLinks(linkCode: (code: string) => ReactNode | undefined): Components {
  return {
    ...ELEMENTS,
    code: ({ children, className }) => (
      <code className={className}>{(typeof children === 'string' ? linkCode(children) : undefined) ?? children}</code>
    ),
  };
}

function fitHeadings(under: number): (tree: Root) => void {
  return (tree) => {
    let last = under;
    const visit = (node: Root | RootContent): void => {
      if (node.type === 'heading') {
        last = Math.min(under + node.depth, last + 1, DEEPEST);
        // Between 1 and 6 by its bounds.
        node.depth = last as typeof node.depth;
      }
      if ('children' in node) node.children.forEach(visit);
    };
    visit(tree);
  };
}
