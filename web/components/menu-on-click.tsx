import {
  cloneElement,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
  useTransition,
} from 'react';

interface MenuOnClickProps {
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Loaded then, with a button of its own like `trigger` and open at first. */
  menu: ReactNode;
}

/** A button whose menu is loaded, and opened, when it is clicked first: menus are large, and most are never opened. */
export function MenuOnClick({ trigger, menu }: MenuOnClickProps) {
  const [isRequested, setRequested] = useState(false);
  // The button stays until the menu is there.
  const [, startLoading] = useTransition();
  if (isRequested) return <Suspense>{menu}</Suspense>;
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => startLoading(() => setRequested(true)),
  });
}
