import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { shownRef, writeLines, writeSourceAddress, type LineRange } from '../code/address.ts';

interface PathLinkProps {
  repo: string;
  path: string;
  /** Branch, tag or commit; what the index holds when absent. */
  commit?: string | undefined;
  lines?: LineRange | undefined;
  className?: string;
  /** The path itself when absent. */
  children?: ReactNode;
}

/** A path of a repository, which leads to the file or folder. */
export function PathLink({ repo, path, commit = '', lines, className, children }: PathLinkProps) {
  return (
    <Link
      to="/r/$"
      params={{ _splat: writeSourceAddress({ repo, ref: shownRef(commit), path }) }}
      {...(lines !== undefined && { hash: writeLines(lines) })}
      hashScrollIntoView={false}
      preload={false}
      className={className ?? 'hover:text-accent hover:underline'}
    >
      {children ?? <BreakablePath path={path} />}
    </Link>
  );
}

/** A path that breaks after its slashes alone, or where `after` says, unless its place lets words break. */
export function BreakablePath({ path, after = /(?<=\/)/ }: { path: string; after?: RegExp }) {
  return path.split(after).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
