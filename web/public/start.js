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

// Who is signed in: asked now, the answer is there when the application is. Links that sign in make a session first.
if (!/^\/(?:welcome|invitation)\b/.test(location.pathname)) {
  const product = stored('product');
  window.askedSession = fetch(
    product === null ? '/app/api/session' : `/app/api/session?${new URLSearchParams({ product })}`,
  );
  // Who reads it tells of a failure.
  window.askedSession.catch(() => {});
}
