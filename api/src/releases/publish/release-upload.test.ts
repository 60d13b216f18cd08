import { expect, test } from '@jest/globals';
import type { ReleaseUpload } from '../../contract/releases.ts';
import type { Release } from '../data/release.ts';
import { describeRelease, ReleaseDescription } from '../data/release-description.ts';
import { uploadOf } from './release-routes.ts';

const integrity = `sha384-${'a'.repeat(64)}`;

/** Every field that a release can have. */
const UPLOAD: ReleaseUpload = {
  name: 'mfe-chat',
  version: '1.4.0',
  container: 'mfe_chat',
  contract: '1.6.0',
  entry: 'entry.js',
  entryFiles: { js: ['entry.js'], css: [] },
  exposes: { './chat': { js: [], css: ['chat.css'] } },
  shared: { react: '^19.0.0' },
  routes: [
    { path: '/chat', module: './chat', guard: 'public', title: { zh: '对话', en: 'Chat' }, layout: 'plain' },
  ],
  links: ['/history'],
  standard: { type: 'script', chunks: 'chunks', own: { zustand: '5.0.0' } },
  facades: ['rxjs'],
  firstStates: [{ path: '/chat', language: 'zh', file: 'chat.css' }],
  template: '',
  styleMarks: { 'chat.css': 'mfe-chat:chat' },
  commit: 'abcdef0',
  files: [
    { path: 'chat.css', size: 10, integrity },
    { path: 'entry.js', size: 20, integrity },
  ],
};

function releaseOf(upload: ReleaseUpload, base = '/chatbot/releases/mfe-chat/1.4.0/'): Release {
  const described = describeRelease(upload);
  const times = { createdAt: new Date(), publishedAt: new Date(), publishedBy: 'ops', removed: null };
  return { ...described, ...times, _id: 'mfe-chat@1.4.0', base } as Release;
}

test('the upload of a release has all of its fields, and gives the same digest', () => {
  const release = releaseOf(UPLOAD);

  expect(uploadOf(release)).toEqual(UPLOAD);
  expect(Object.keys(uploadOf(release)).sort()).toEqual(Object.keys(ReleaseDescription.shape).sort());
  expect(describeRelease(uploadOf(release)).digest).toBe(release.digest);
});

test('a self-hosted release keeps its address', () => {
  const release = releaseOf(UPLOAD, 'https://team.example/chat/');

  expect(uploadOf(release)).toEqual({ ...UPLOAD, address: 'https://team.example/chat/' });
  expect(describeRelease(uploadOf(release)).digest).toBe(release.digest);
});
