import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from './button.tsx';

export const ITEM_CLASS =
  'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 max-md:min-h-10';

/** Menus open inside the page's landmarks, so that screen readers say where they are. */
const landmark = {
  get current(): HTMLElement | null {
    return document.querySelector('main');
  },
};

interface MenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  isOpenAtFirst?: boolean;
  className?: string;
}

export function Menu({ trigger, children, align = 'end', isOpenAtFirst = false, className }: MenuProps) {
  return (
    <Base.Root defaultOpen={isOpenAtFirst}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={landmark}>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            className={classNames(
              'max-h-(--available-height) max-w-[calc(100vw-16px)] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg outline-none',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  icon?: IconName;
  dangerous?: boolean;
  /** Reason why it cannot be chosen now, shown below its name. */
  blocked?: string | false;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, dangerous = false, blocked = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      disabled={blocked !== false}
      onClick={onSelect}
      className={classNames(ITEM_CLASS, dangerous && 'text-bad')}
    >
      {icon !== undefined && <Icon name={icon} />}
      {blocked === false ? (
        children
      ) : (
        <span>
          {children}
          <span className="block text-xs">{blocked}</span>
        </span>
      )}
    </Base.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** Choices that exclude each other, with a mark on the present one. */
export function MenuChoices<Value extends string>({ label, value, choices, onChoose }: MenuChoicesProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-0.5 text-xs text-quiet">{label}</Base.GroupLabel>
      <Base.RadioGroup
        value={value}
        onValueChange={(chosen: unknown) => {
          const choice = choices.find((option) => option.value === chosen);
          if (choice !== undefined) onChoose(choice.value);
        }}
      >
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} closeOnClick className={ITEM_CLASS}>
            <span className="grid size-4 place-items-center">
              <Base.RadioItemIndicator>
                <Icon name="check" />
              </Base.RadioItemIndicator>
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{choice.label}</span>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
