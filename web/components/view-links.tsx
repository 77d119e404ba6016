import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

interface ViewLink {
  name: string;
  isShown: boolean;
  link: LinkProps;
}

/** The views of a page, each with an address of its own. */
export function ViewLinks({ label, views }: { label: string; views: readonly ViewLink[] }) {
  const shown = useRef<HTMLAnchorElement>(null);
  const shownName = views.find(({ isShown }) => isShown)?.name;
  // Where there is no room for all, the one that is shown is in the middle.
  useEffect(() => {
    const [link, bar] = [shown.current, shown.current?.parentElement];
    if (link && bar) bar.scrollLeft = link.offsetLeft + (link.offsetWidth - bar.clientWidth) / 2;
  }, [shownName]);
  return (
    <nav aria-label={label} className="relative mb-4 flex gap-1 overflow-x-auto border-b border-line px-0.5 pt-0.5">
      {views.map(({ name, isShown, link }) => (
        <Link
          key={name}
          ref={isShown ? shown : undefined}
          {...link}
          aria-current={isShown ? 'page' : undefined}
          className={`-mb-px border-b-2 px-2.5 py-1.5 whitespace-nowrap -outline-offset-2 hover:text-ink ${
            isShown ? 'border-accent font-medium text-ink' : 'border-transparent text-quiet'
          }`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
