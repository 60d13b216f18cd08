import { afterAll, test } from '@jest/globals';
import { checkRoundTrips } from '../../testing/check-round-trips.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';

const here = await startTestApi({ answerer: createScriptedAnswerer() });
const elsewhere = await startTestApi({ answerer: createScriptedAnswerer() });
afterAll(async () => {
  await here.end();
  await elsewhere.end();
});

test('imported records are exported unchanged, on the same and on another server, many times', () =>
  checkRoundTrips(here.url, elsewhere.url, 200));
