import { Link } from '@tanstack/react-router';
import { createElement, Fragment } from 'react';
import { readFix } from '../fix.ts';

/** The fix for a failure, with links to the pages that do it. */
export function Fix({ fix }: { fix: string }) {
  const parts = readFix(fix).map((part) => {
    if (typeof part === 'string') return part;
    return (
      <Link to={part.to} className="underline">
        {part.label}
      </Link>
    );
  });
  return createElement(Fragment, null, ...parts);
}
