/** `docs.acme.example` and `www.acme.example` belong to the site `acme.example`. */
export function isSameSite(host: string, home: string): boolean {
  const [bare, site] = [host, home].map((name) => name.toLowerCase().replace(/^www\./, ''));
  return bare === site || bare?.endsWith(`.${site}`) === true;
}

/** Addresses of a sitemap, or of the sitemaps that an index of them names (sitemaps.org). */
export function sitemapAddresses(xml: string): { pages: string[]; sitemaps: string[] } {
  const addresses = [...xml.matchAll(/<loc>\s*([^<\s]{1,2048})\s*<\/loc>/gi)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
  return /<sitemapindex[\s>]/i.test(xml) ? { pages: [], sitemaps: addresses } : { pages: addresses, sitemaps: [] };
}
