import { Tabs as Base } from '@base-ui/react/tabs';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { name: string; content: ReactNode }[];
}

interface ShownTabsProps extends TabsProps {
  /** Name of the tab that is shown; each use keeps its own when absent. */
  shown?: string | undefined;
  onShow?: (name: string) => void;
}

/** Views of the same thing, one at a time. Arrow keys move between them. */
export function Tabs({ label, tabs, shown, onShow }: ShownTabsProps) {
  return (
    <Base.Root
      {...(shown === undefined ? { defaultValue: tabs[0]?.name } : { value: shown })}
      onValueChange={(name) => onShow?.(String(name))}
    >
      <Base.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line px-0.5 pt-0.5 [scrollbar-width:none]"
      >
        {tabs.map(({ name }) => (
          <Base.Tab
            key={name}
            value={name}
            className="-mb-px border-b-2 border-transparent px-2.5 py-1.5 whitespace-nowrap text-quiet -outline-offset-2 hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
          >
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        <Base.Panel key={name} value={name} className="pt-3">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** Tabs of a page: its address says which is shown, so that a link leads to it and back finds it. Its route reads `view`. */
export function PageTabs({ label, tabs }: TabsProps) {
  const { view } = useSearch({ strict: false });
  const navigate = useNavigate();
  const shown = tabs.find(({ name }) => viewOf(name) === view) ?? tabs[0];
  return (
    <Tabs
      label={label}
      tabs={tabs}
      shown={shown?.name}
      onShow={(name) => {
        const search = name === tabs[0]?.name ? {} : { view: viewOf(name) };
        void navigate({ to: '.', search, hash: true, replace: true, resetScroll: false });
      }}
    />
  );
}

function viewOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
