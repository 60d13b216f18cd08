/**
 * Development only, and first in a remote's entry: in the page of a deployed host, whose React knows no hot refresh, a change comes
 * with a reload of the page. It also does where what the developer wrote did not run, and the page shows the live release.
 */
const composition = JSON.parse(document.getElementById('composition')?.textContent || '{}');

if (composition.override && import.meta.webpackHot)
  import.meta.webpackHot.addStatusHandler((status) => {
    if (status === 'dispose') location.reload();
  });
