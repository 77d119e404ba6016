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
/** Headings whose section leads elsewhere. */
const RELATED_HEADING =
  /^(?:related|recommended|popular|trending|latest|recent|more|further|you (?:may|might)|read (?:next|more)|keep reading|similar)\b.{0,40}$/i;
const SMALL_FORM_WORDS = 60;
const LINKED_SHARE = 0.6;

/**
 * True if an element is around the content of a page and no part of it: by its tag and role, by the names that its author gave
 * it, or because all it does is to lead elsewhere. `isInside` says that it is in the main part of the page.
 */
export function isChrome(element: PageElement, isInside: boolean): boolean {
  const tag = element.tagName.toUpperCase();
  if (SILENT.has(tag) || element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  if (tag === 'BODY' || tag === 'MAIN' || tag === 'ARTICLE') return false;
  if (CHROME_TAGS.has(tag)) return true;
  if (CHROME_ROLES.has(element.getAttribute('role') ?? '')) return true;
  if (!isInside && (tag === 'HEADER' || tag === 'ASIDE')) return element.querySelector('h1') === null;
  if (tag === 'FORM') return isSmallForm(element);
  if (isNamedChrome(element)) return element.querySelector('h1, main, article, table') === null;
  return isListOfRelated(element);
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

/** A heading such as "Related posts" with hardly anything but links below it. */
function isListOfRelated(element: PageElement): boolean {
  const heading = [...element.children].find((child) => /^H[2-6]$/i.test(child.tagName));
  if (heading === undefined || !RELATED_HEADING.test((heading.textContent ?? '').trim())) return false;
  if (element.querySelector('h1, table') !== null || element.querySelectorAll('h2, h3, h4').length > 1) return false;
  const rest = lengthOf(element) - lengthOf(heading);
  return rest > 0 && linkedLength(element) >= LINKED_SHARE * rest;
}

function lengthOf(element: PageElement): number {
  return (element.textContent ?? '').replaceAll(/\s+/g, '').length;
}

/** Characters of an element that lie in links. */
export function linkedLength(element: PageElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + lengthOf(link), 0);
}
