import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { FileNames } from '../../src/code/source-bodies.ts';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { formatCount } from '../format.ts';
import type { SourceAddress } from './address.ts';

const SHOW_AFTER_MS = 250;
/** Long enough to move the pointer into the card. */
const HIDE_AFTER_MS = 200;
const WIDTH_PX = 440;

interface Shown {
  /** Index among the symbols that the file uses, then those that it defines. */
  name: number;
  left: number;
  top: number;
}

interface NameCardState {
  shown: Shown | undefined;
  /** For what holds the names. */
  handlers: {
    onPointerOver: (event: PointerEvent) => void;
    onFocus: (event: FocusEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  /** The pointer is over the card. */
  keep: () => void;
  leave: () => void;
  hide: () => void;
}

/** Tracks the name under the pointer or the keyboard focus, with a short delay. */
export function useNameCard(frame: RefObject<HTMLElement | null>): NameCardState {
  const [shown, setShown] = useState<Shown>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const after = (ms: number, next: Shown | undefined): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(next), ms);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const at = (target: EventTarget): void => {
    const link = target instanceof Element ? target.closest<HTMLElement>('a[data-name]') : null;
    const box = frame.current?.getBoundingClientRect();
    if (link === null || box === undefined) return after(HIDE_AFTER_MS, undefined);
    const bounds = link.getBoundingClientRect();
    const left = Math.max(0, Math.min(bounds.left - box.left, box.width - WIDTH_PX));
    after(SHOW_AFTER_MS, { name: Number(link.dataset['name']), left, top: bounds.bottom - box.top + 2 });
  };
  return {
    shown,
    handlers: {
      onPointerOver: ({ target, pointerType }) => {
        if (pointerType === 'mouse') at(target);
      },
      onFocus: ({ target }) => at(target),
      onKeyDown: ({ key }) => {
        if (key === 'Escape') after(0, undefined);
      },
    },
    keep: () => clearTimeout(timer.current),
    leave: () => after(HIDE_AFTER_MS, undefined),
    hide: () => after(0, undefined),
  };
}

/** Signature and documentation of a name, with links. */
export function NameCard({ card, names, address }: { card: NameCardState; names: FileNames; address: SourceAddress }) {
  const { shown } = card;
  const symbol =
    shown === undefined ? undefined : (names.symbols[shown.name] ?? names.defined[shown.name - names.symbols.length]);
  if (shown === undefined || symbol === undefined) return null;
  const { kind, qualified, signature, doc, path, line, refs } = symbol;
  const { repo, ref } = address;
  return (
    <div
      role="dialog"
      aria-label={`About ${qualified}`}
      className="absolute z-20 w-[min(440px,100%)] rounded-lg border border-line bg-raised p-3 text-sm shadow-lg"
      style={{ left: shown.left, top: shown.top }}
      onPointerEnter={card.keep}
      onPointerLeave={card.leave}
      onFocus={card.keep}
    >
      <p className="flex flex-wrap items-center gap-x-2">
        <Badge>{kind.replace('_', ' ')}</Badge>
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{qualified}</span>
      </p>
      {signature !== '' && (
        <code className="mt-1.5 block font-mono text-xs leading-5 [overflow-wrap:anywhere]">{signature}</code>
      )}
      {doc !== '' && <p className="mt-1.5 text-quiet">{doc}</p>}
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-xs">
        <PathLink
          repo={repo}
          commit={ref}
          path={path}
          lines={{ from: line, to: line }}
          className="text-accent hover:underline"
        >
          {path}:{line}
        </PathLink>
        <EntityLink repo={repo} commit={ref} handle={symbol.id} className="text-accent hover:underline">
          {formatCount(refs, 'use')}
        </EntityLink>
      </p>
    </div>
  );
}
