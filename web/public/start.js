// Runs before the first paint, and while the application is still on its way.
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

// So that a chosen theme does not flash. Without a choice the styles follow the system.
const theme = stored('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

/** An address of the service, about the product that this browser remembers. */
function aboutProduct(path, parameters = {}) {
  const product = stored('product');
  const query = new URLSearchParams(product === null ? parameters : { ...parameters, product });
  return query.size === 0 ? `/app/api/${path}` : `/app/api/${path}?${query}`;
}

// Asked now, the answers are there when the application is. Links that sign in make a session first.
if (!/^\/(?:welcome|invitation)\b/.test(location.pathname)) {
  window.asked = { product: stored('product'), session: fetch(aboutProduct('session')) };
  // Somebody was signed in here, and opens the overview.
  if (location.pathname === '/' && stored('role') !== null) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    window.asked.overview = fetch(aboutProduct('overview', { zone }));
  }
  // Who reads them tells of a failure.
  for (const answer of [window.asked.session, window.asked.overview]) answer?.catch(() => {});
}
