import { checkScreen, expectNoOverflow } from './check-screen.ts';
import { test } from './desk-test.ts';
import { watchPolicy } from './policy.ts';
import { runScenario, SCENARIOS } from './screen-states.ts';

test.describe.configure({ mode: 'parallel' });

// axe analyses the first state of each address. All states in every width, theme and language: screens.long.spec.ts.
for (const walk of SCENARIOS)
  test.describe(() => {
    test.use({ expectedErrors: walk.expectedErrors });

    test(`axe finds nothing in ${walk.title}, no state is wider than the window, and no page violates its policy`, async ({
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
          const { pathname } = new URL(shown.url());
          if (seen.has(pathname)) return expectNoOverflow(shown, state);
          seen.add(pathname);
          await checkScreen(shown, state);
        },
      });
      expectStrictPolicies();
    });
  });
