import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Entity } from '../../src/graph/entity-output.ts';
import { EntityLink } from '../components/entity-link.tsx';

interface EntityPageLinkProps {
  entity: Entity;
  /** Name of its repository where the product has one alone. */
  repo: string;
  className: string;
  children: ReactNode;
}

/** A link to the page of an entity; nothing for what has none, such as a layer. */
export function EntityPageLink({ entity, repo: only, className, children }: EntityPageLinkProps) {
  const { id, kind, name, repo = only } = entity;
  const handle = id.slice(id.indexOf(':') + 1);
  switch (kind) {
    case 'symbol':
    case 'plan':
    case 'decision':
      return (
        <EntityLink handle={id} repo={repo} className={className}>
          {children}
        </EntityLink>
      );
    case 'file':
    case 'test':
    case 'component':
      return (
        <EntityLink handle={handle === '.' ? '' : handle} repo={repo} className={className}>
          {children}
        </EntityLink>
      );
    case 'document':
      return id.startsWith('doc:') ? (
        <Link to="/documents/$documentId" params={{ documentId: id }} className={className}>
          {children}
        </Link>
      ) : (
        <EntityLink handle={handle} repo={repo} className={className}>
          {children}
        </EntityLink>
      );
    case 'theme':
      return (
        <Link to="/themes" search={{ query: name }} className={className}>
          {children}
        </Link>
      );
    case 'competitor':
      return (
        <Link to="/competitors" className={className}>
          {children}
        </Link>
      );
    case 'work_item':
      return (
        <Link to="/work-items" className={className}>
          {children}
        </Link>
      );
    default:
      return null;
  }
}
