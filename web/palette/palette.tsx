import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useState } from 'react';
import { Icon } from '../components/button.tsx';
import { ITEM_CLASS } from '../components/menu.tsx';
import { type Item, type ItemGroup, useItems } from './items.ts';

const TYPING_PAUSE_MS = 150;

/** Goes to any page, file, symbol, plan, decision or theme, and does what has no page. Open while it is mounted; `start` was typed before. */
export function Palette({ start, onClose }: { start: string; onClose: () => void }) {
  const [text, setText] = useState(start);
  const words = text.trim();
  const groups = useItems(words, usePaused(words));
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog" aria-label="Go to anything">
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            value={text}
            onValueChange={setText}
            itemToStringValue={(item: Item) => item.name}
          >
            <div className="flex items-center gap-2 border-b border-line px-2">
              <Icon name="search" className="text-quiet" />
              <Autocomplete.Input
                aria-label="Go to anything"
                placeholder="A page, file, symbol, plan or action"
                spellCheck={false}
                autoCapitalize="none"
                className="h-10 min-w-0 flex-1 bg-transparent outline-none placeholder:text-quiet max-md:text-[16px]"
              />
            </div>
            <Autocomplete.List className="mt-1 max-h-[60dvh] overflow-y-auto" aria-label="Where to">
              {(group: ItemGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
                  <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-0.5 text-xs text-quiet">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => <Row key={item.id} item={item} onChoose={onClose} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Row({ item, onChoose }: { item: Item; onChoose: () => void }) {
  return (
    <Autocomplete.Item
      value={item}
      className={ITEM_CLASS}
      onClick={() => {
        onChoose();
        item.run();
      }}
    >
      <Icon name={item.icon} className="text-quiet" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{item.name}</span>
      {item.hint !== undefined && <span className="ml-auto min-w-0 truncate pl-3 text-sm text-quiet">{item.hint}</span>}
    </Autocomplete.Item>
  );
}

/** The text as it was when typing paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
