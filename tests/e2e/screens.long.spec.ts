import { checkInBothThemes } from './check-screen.ts';
import { test } from './desk-test.ts';
import { runScenario, SCENARIOS } from './screen-states.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

test.describe.configure({ mode: 'parallel' });

for (const size of SIZES)
  for (const language of ['zh', 'en'] as const)
    for (const walk of SCENARIOS)
      test.describe(() => {
        test.use({ viewport: size, expectedErrors: walk.expectedErrors });

        test(`axe finds nothing in the states of ${walk.title} at ${size.width} px, ${language}, light and dark`, ({
          page,
          desk,
          deskWithModel,
        }) =>
          runScenario(walk, {
            page,
            url: desk.url,
            urlWithModel: deskWithModel.url,
            language,
            check: checkInBothThemes,
          }));
      });
