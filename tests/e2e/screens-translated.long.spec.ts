import { collectReports } from './broken-release.ts';
import { expect, test } from './desk-test.ts';
import { runScenario, SCENARIOS } from './screen-states.ts';
import { translatePage } from './translate-page.ts';

for (const walk of SCENARIOS)
  test.describe(() => {
    test.use({ expectedErrors: walk.expectedErrors });

    test(`no translated page breaks in the states of ${walk.title}`, async ({
      page,
      desk,
      deskWithModel,
    }) => {
      const events = await collectReports(page);
      await translatePage(page);
      await runScenario(walk, {
        page,
        url: desk.url,
        urlWithModel: deskWithModel.url,
        language: 'zh',
        async check(shown) {
          if (shown !== page) return;
          const failures = (await events()).filter(({ kind }) => kind === 'failure' || kind === 'error');
          expect(failures).toEqual([]);
        },
      });
    });
  });
