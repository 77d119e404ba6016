import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { name: string; content: ReactNode }[];
}

/** Views of the same thing, one at a time. Arrow keys move between them. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Base.Root defaultValue={tabs[0]?.name}>
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
