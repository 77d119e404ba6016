import type { PageElement } from './element.ts';

/** Elements whose text is not for readers. */
export const SILENT: ReadonlySet<string> = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG HEAD TITLE IFRAME OBJECT CANVAS VIDEO AUDIO'.split(' '),
);

const CHROME_TAGS: ReadonlySet<string> = new Set(['NAV', 'FOOTER', 'DIALOG']);
const CHROME_ROLES: ReadonlySet<string> = new Set(
  'navigation banner contentinfo complementary dialog alertdialog search menu menubar tooltip'.split(' '),
);
/** Names that authors give to what surrounds the content of their pages, as whole words of a class or id. */
const CHROME_NAMES: ReadonlySet<string> = new Set(
  (
    'nav navbar navigation navlinks menu topbar breadcrumb breadcrumbs foot footer cookie cookies consent gdpr ccpa ' +
    'sidebar sidenav toc share sharing social follow related recommended recommendations newsletter subscribe ' +
    'signup-form announcement announcements promo promotion sponsor sponsored sponsors advert advertisement ads ad ' +
    'popup modal overlay toast skip skiplink pagination pager comments disqus masthead language-switcher'
  ).split(' '),
);
const SMALL_FORM_WORDS = 60;

/**
 * True if an element is around the content of a page and no part of it: by its tag and role, or by the names that its author
 * gave it. `isInside` says that it is in the main part of the page.
 */
export function isChrome(element: PageElement, isInside: boolean): boolean {
  const tag = element.tagName.toUpperCase();
  if (SILENT.has(tag) || element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  if (tag === 'BODY' || tag === 'MAIN' || tag === 'ARTICLE') return false;
  if (CHROME_TAGS.has(tag)) return true;
  if (CHROME_ROLES.has(element.getAttribute('role') ?? '')) return true;
  if (!isInside && (tag === 'HEADER' || tag === 'ASIDE')) return element.querySelector('h1') === null;
  if (tag === 'FORM') return isSmallForm(element);
  return isNamedChrome(element) && element.querySelector('h1, main, article, table') === null;
}

function isNamedChrome(element: PageElement): boolean {
  const names = `${element.getAttribute('class') ?? ''} ${element.id}`.toLowerCase();
  if (names.trim() === '') return false;
  return names
    .split(/\s+/)
    .some((name) => CHROME_NAMES.has(name) || name.split(/[-_]+/).some((part) => CHROME_NAMES.has(part)));
}

/** A form to search, to sign in or to subscribe; a long one may hold a table of plans to choose from. */
function isSmallForm(element: PageElement): boolean {
  if (element.querySelector('table, h1, h2') !== null) return false;
  return (element.textContent ?? '').split(/\s+/).length <= SMALL_FORM_WORDS;
}
