import { afterAll, beforeAll, test } from '@jest/globals';
import { checkRoundTrips } from '../../testing/check-round-trips.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';

let here: TestApi;
let elsewhere: TestApi;
beforeAll(async () => {
  here = await startTestApi({ answerer: createScriptedAnswerer() });
  elsewhere = await startTestApi({ answerer: createScriptedAnswerer() });
});
afterAll(async () => {
  await here.end();
  await elsewhere.end();
});

test('imported records are exported unchanged, on the same and on another server, many times', () =>
  checkRoundTrips(here.url, elsewhere.url, 200));
