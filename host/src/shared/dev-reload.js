/**
 * Development only, first in a remote's entry. On the page of a deployed host, whose React does not support hot refresh, a change reloads
 * the page. Also reloads if the developer's version failed and the page shows the live release.
 */
const composition = JSON.parse(document.getElementById('composition')?.textContent || '{}');

if (composition.override && import.meta.webpackHot)
  import.meta.webpackHot.addStatusHandler((status) => {
    if (status === 'dispose') location.reload();
  });
