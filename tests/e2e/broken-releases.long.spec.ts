import { type BrokenWay, testBrokenRelease, WAYS } from './broken-release.ts';

/** The full matrix; broken-releases.spec.ts has what only a browser can show. */
for (const [index, way] of (Object.keys(WAYS) as BrokenWay[]).entries())
  testBrokenRelease(way, `7.${index + 1}.0`);
