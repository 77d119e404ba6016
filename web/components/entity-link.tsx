import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { type LineRange, shownRef, writeLines, writeSourceAddress } from '../code/address.ts';
import { readHandle } from '../code/handles.ts';
import { buttonClass, Icon } from './button.tsx';
import { CopyButton } from './copy.tsx';

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

/** A call of an operation as MCP clients make it. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

interface EntityActionsProps {
  /** Call with which an agent reads this. */
  call?: ToolCall;
  /** Address of the page from its first slash; the one that is shown when absent. */
  path?: string;
  /** The entity as the graph names it, for what is in it. */
  entity?: string;
}

/** Actions for everything that has a page: view it in the graph, copy its link, let an agent read it. */
export function EntityActions({ call, path, entity }: EntityActionsProps) {
  return (
    <>
      {entity !== undefined && (
        <Link to="/graph" search={{ entity }} preload={false} className={buttonClass()}>
          <Icon name="branch" />
          In the graph
        </Link>
      )}
      {call !== undefined && <CopyCall call={call} />}
      <CopyButton label="Copy link" text={path === undefined ? location.href : `${location.origin}${path}`} />
    </>
  );
}

/** Copies a call for an agent. */
export function CopyCall({ call }: { call: ToolCall }) {
  return <CopyButton label="Copy as MCP call" text={JSON.stringify(call, undefined, 2)} />;
}
