import type { ComponentProps } from 'react';
import { Icon } from '../components/button.tsx';
import { useSession } from '../session.tsx';

/** Opens the menu of products; what it does comes with the properties. */
export function ProductButton(props: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...props}
      className="flex h-10 w-full shrink-0 items-center gap-2 rounded-md border border-line px-2 text-left hover:bg-hover data-popup-open:bg-hover max-md:h-11"
    >
      <Icon name="box" className="text-quiet" />
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">Product: </span>
        {useSession().product.name}
      </span>
      <Icon name="chevron" className="text-quiet" />
    </button>
  );
}

/** Opens the menu of the person. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { name, role } = useSession().session.person;
  return (
    <button
      type="button"
      {...props}
      className="flex h-10 w-full shrink-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover data-popup-open:bg-hover max-md:h-11"
    >
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 leading-4">
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block text-xs text-quiet">{role}</span>
      </span>
      <Icon name="chevron" className="text-quiet" />
      <span className="sr-only">Account menu</span>
    </button>
  );
}
