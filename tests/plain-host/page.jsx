/** A page with another Module Federation host, which knows nothing of the desk but the props of its screens. */
import { createInstance } from '@module-federation/runtime';
import { createStandInServices } from 'host/stand-ins';
import React from 'react';
import ReactDom from 'react-dom';
import { createRoot } from 'react-dom/client';

/** What the address asks for: `?remote=mfe_auth&module=login`. */
const { remote = '', module = '' } = Object.fromEntries(new URLSearchParams(location.search));

const shareConfig = { singleton: true, requiredVersion: false };
const host = createInstance({
  name: 'plain_host',
  remotes: [{ name: remote, entry: `${location.origin}/${remote}/mf-manifest.json` }],
  shared: {
    react: { version: React.version, lib: () => React, shareConfig },
    'react-dom': { version: ReactDom.version, lib: () => ReactDom, shareConfig },
  },
});

/** The answer to every call of a screen. */
const EMPTY = {
  conversations: [],
  records: [],
  contacts: [],
  starters: [],
  models: [],
  total: 0,
  nextCursor: null,
};

const loaded = await host.loadRemote(`${remote}/${module}`);
if (!loaded) throw new Error(`${remote}/${module} did not load`);
const { services } = createStandInServices({ username: 'anna', answers: () => EMPTY });
await Promise.all(loaded.texts.map((texts) => services.i18n.load(texts)));
createRoot(document.getElementById('root')).render(
  <loaded.default services={services} language="zh" controls={null} />,
);
