import { expect, test } from '@jest/globals';
import { createReleaseOfScript, type ReleaseName } from './release-of-script.ts';

/** Two releases of one remote in the same folder. */
const base = '/chatbot/releases/mfe-chat/files/';
const origin = 'https://desk.example';
const composition = {
  id: 'c1',
  host: { version: '3.0.0' },
  remotes: {
    'mfe-chat': {
      version: '2.0.0',
      entry: `${base}remoteEntry.222.js`,
      previous: { version: '1.0.0', entry: `${base}remoteEntry.111.js` },
    },
  },
};

const ownerOf = (file: string, shown: ReleaseName | undefined) =>
  createReleaseOfScript(
    composition,
    origin,
    ({ version }) => version === shown?.version,
  )([origin + base + file])?.version;

test.each([
  ['the live entry', 'remoteEntry.222.js', '1.0.0', '2.0.0'],
  ['the previous entry', 'remoteEntry.111.js', '2.0.0', '1.0.0'],
  ['any other file while the previous release is shown', 'chat.333.js', '1.0.0', '1.0.0'],
  ['any other file while the live release is shown', 'chat.333.js', '2.0.0', '2.0.0'],
  ['any other file before a screen is shown', 'chat.333.js', undefined, '2.0.0'],
])('in a shared folder: %s', (_, file, shown, version) => {
  expect(ownerOf(file, shown === undefined ? undefined : { remote: 'mfe-chat', version: shown })).toBe(
    version,
  );
});
