import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shownRef, writeSourceAddress } from '../code/address.ts';
import { readHandle } from '../code/handles.ts';
import { PathLink } from './path-link.tsx';

interface EntityLinkProps {
  /** As operations write it: `sym:Class/method@path`, `c:3316dc9`, `plan:slug`, `dec:12`, `sig:…`, `path:line`, a path. */
  handle: string;
  repo: string;
  /** Branch, tag or commit at which code is shown; what the index holds when absent. */
  commit?: string | undefined;
  className?: string;
  /** The name of the entity when absent. */
  children?: ReactNode;
}

/** Whatever an operation names, as a link to its page; as text where it has none. */
export function EntityLink({ handle, repo, commit = '', className, children }: EntityLinkProps) {
  const entity = readHandle(handle);
  const look = className ?? 'hover:text-accent hover:underline';
  switch (entity.kind) {
    case 'symbol':
      return (
        <Link
          to="/s/$"
          params={{ _splat: writeSourceAddress({ repo, ref: shownRef(commit), path: entity.path }) }}
          search={{ symbol: entity.name }}
          preload={false}
          className={look}
        >
          {children ?? entity.name}
        </Link>
      );
    case 'commit':
      return (
        <Link
          to="/history/$repositoryId/commits/$sha"
          params={{ repositoryId: repo, sha: entity.name }}
          className={look}
        >
          {children ?? entity.name.slice(0, 7)}
        </Link>
      );
    case 'plan':
      return (
        <Link to="/plans/$slug" params={{ slug: entity.name }} className={look}>
          {children ?? entity.name}
        </Link>
      );
    case 'decision':
      return (
        <Link to="/decisions/$decisionId" params={{ decisionId: handle }} className={look}>
          {children ?? handle}
        </Link>
      );
    case 'signal':
      return (
        <Link to="/signals/$signalId" params={{ signalId: handle }} className={look}>
          {children ?? 'signal'}
        </Link>
      );
    case 'path':
      return (
        <PathLink repo={repo} commit={commit} path={entity.path} lines={entity.lines} className={look}>
          {children}
        </PathLink>
      );
    case 'other':
      return children ?? handle;
  }
}
