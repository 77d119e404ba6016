import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { fixText } from '../fix.ts';
import { Button, Icon, IconButton } from './button.tsx';

const SHOWN_MS = 6000;
const SHOWN_WITH_UNDO_MS = 15_000;
const MOST = 3;

interface Message {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done; the message stays longer then. */
  undo: (() => void) | undefined;
}

type Say = (text: string, tone?: Message['tone'], undo?: Message['undo']) => void;

const Toasts = createContext<Say>(() => {});

/**
 * Says something that just happened; it leaves by itself. Never for secrets. It is in the first load, where sonner would be 8.2 kB
 * and the toast of Base UI 21 kB (Brotli).
 */
export function useToast(): Say {
  return use(Toasts);
}

/** Shows why a background action failed. */
export function tellProblem(say: Say): (problem: Error) => void {
  return (problem) => say(`${problem.message} ${problem instanceof ApiError ? fixText(problem.fix) : ''}`, 'bad');
}

export function ToastRegion({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const nextId = useRef(1);
  const drop = useCallback((id: number) => setMessages((all) => all.filter((message) => message.id !== id)), []);
  const say = useCallback<Say>(
    (text, tone = 'good', undo) => {
      const id = nextId.current++;
      setMessages((all) => [...all.slice(1 - MOST), { id, text, tone, undo }]);
      setTimeout(() => drop(id), undo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS);
    },
    [drop],
  );
  return (
    <Toasts value={say}>
      {children}
      <section
        aria-label="Messages"
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-50 flex flex-col items-end gap-2 max-sm:left-4"
      >
        {messages.map((message) => (
          <div
            key={message.id}
            className="pointer-events-auto flex items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 shadow-lg"
          >
            <Icon
              name={message.tone === 'good' ? 'check' : 'alert'}
              className={message.tone === 'good' ? 'text-good' : 'text-bad'}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">{message.text}</span>
            {message.undo !== undefined && (
              <Button
                look="ghost"
                data-undo
                onClick={() => {
                  drop(message.id);
                  message.undo?.();
                }}
              >
                Undo
              </Button>
            )}
            <IconButton icon="close" label="Dismiss" onClick={() => drop(message.id)} />
          </div>
        ))}
      </section>
    </Toasts>
  );
}
