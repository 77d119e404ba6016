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

// About the product that this browser remembers. The body is read in any case, so that the request ends.
function ask(path, parameters) {
  const product = stored('product');
  const query = new URLSearchParams(product === null ? parameters : { ...parameters, product });
  return fetch(`/app/api/${path}?${query}`)
    .then(async (answer) => {
      const body = await answer.json();
      return answer.ok ? body : undefined;
    })
    .catch(() => {});
}

// Asked now, the answers are there when the application is. Links that sign in make a session first.
if (!/^\/(?:welcome|invitation)\b/.test(location.pathname)) {
  window.asked = { product: stored('product'), session: ask('session', {}) };
  // Somebody was signed in here, and opens the overview.
  if (location.pathname === '/' && stored('role') !== null) {
    window.asked.overview = ask('overview', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  }
}
