import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { watchPolicy } from './policy.ts';
import { runScenario, SCENARIOS } from './screen-states.ts';

test.describe.configure({ mode: 'parallel' });

// Every width, theme and language: screens.long.spec.ts.
for (const walk of SCENARIOS)
  test.describe(() => {
    test.use({ expectedErrors: walk.expectedErrors });

    test(`axe finds nothing in the states of ${walk.title}, and no page violates its policy`, async ({
      page,
      desk,
      deskWithModel,
    }) => {
      const seen = new Set<string>();
      const expectStrictPolicies = await watchPolicy(page);
      await runScenario(walk, {
        page,
        url: desk.url,
        urlWithModel: deskWithModel.url,
        language: 'zh',
        async check(shown, state) {
          expect(seen, 'every state is analysed once').not.toContain(state);
          seen.add(state);
          await checkScreen(shown, state);
        },
      });
      expectStrictPolicies();
    });
  });
