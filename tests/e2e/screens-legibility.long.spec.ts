import { checkLegibility } from './check-legibility.ts';
import { test } from './desk-test.ts';
import { runScenario, SCENARIOS } from './screen-states.ts';

test.describe.configure({ mode: 'parallel' });

for (const width of [390, 1280])
  for (const language of ['zh', 'en'] as const)
    for (const walk of SCENARIOS)
      test.describe(() => {
        test.use({ viewport: { width, height: 844 }, expectedErrors: walk.expectedErrors });

        test(`controls can be hit and texts be spaced in the states of ${walk.title} at ${width} px, ${language}`, ({
          page,
          desk,
          deskWithModel,
        }) =>
          runScenario(walk, {
            page,
            url: desk.url,
            urlWithModel: deskWithModel.url,
            language,
            check: checkLegibility,
          }));
      });
