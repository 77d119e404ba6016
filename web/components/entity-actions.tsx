import { Link } from '@tanstack/react-router';
import { buttonClass } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Icon } from './icon.tsx';

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
