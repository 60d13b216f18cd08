import { BREAKAGES, type Breakage, testBrokenRelease } from './broken-release.ts';

/** All cases; broken-releases.spec.ts contains those that need a browser. */
for (const [index, way] of (Object.keys(BREAKAGES) as Breakage[]).entries())
  testBrokenRelease(way, `7.${index + 1}.0`);
