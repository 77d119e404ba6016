import { useEffect, type ReactNode } from 'react';
import { Mark } from './mark.tsx';

/** The frame of pages without a session: one thing to do. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <main id="main" className="mx-auto w-[min(420px,calc(100vw-32px))] py-[12vh]">
      <div className="mb-5 flex items-center justify-center gap-2 text-[16px] font-semibold">
        <Mark />
        svc
      </div>
      <div className="rounded-xl border border-line bg-panel p-6">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
