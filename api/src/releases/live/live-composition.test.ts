import { afterAll, expect } from '@jest/globals';
import { embeddedOnly } from '../../testing/embedded-only.ts';
import { openTestCompositions } from '../../testing/open-test-compositions.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { createLiveComposition } from './live-composition.ts';
import { publishBuilds } from './publish-builds.ts';

const opened = await openTestCompositions();
afterAll(() => opened?.close());

embeddedOnly(
  'while the store does not answer, the last known live composition is served; a process that has never read it fails',
  async () => {
    const deps = await opened.connect();
    const folders = ['host', 'mfe-chat'].map((name) => writeTestBuild(opened.folder, { name }));
    await publishBuilds(await Promise.all(folders), deps);
    const live = createLiveComposition(deps.store);
    const before = await live.read();

    await opened.stop();

    expect(await live.read()).toEqual(before);
    await expect(createLiveComposition(deps.store).read()).rejects.toThrow();
  },
);
