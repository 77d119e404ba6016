import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { readFix } from '../fix.ts';

/** What to do about a failure, with links to the pages that do it. */
export function Fix({ fix }: { fix: string }) {
  return readFix(fix).map((part, at) =>
    typeof part === 'string' ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one text, which never move
      <Fragment key={at}>{part}</Fragment>
    ) : (
      <span key={part.to}>
        the page{' '}
        <Link to={part.to} className="font-medium underline">
          {part.label}
        </Link>
      </span>
    ),
  );
}
