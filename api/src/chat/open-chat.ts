import type { Logger } from 'pino';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { Answers } from '../answers/open-answers.ts';
import type { FileModels } from '../files/file-models.ts';
import type { OpenFiles } from '../files/open-files.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { ThisProcess } from '../store/process-lease.ts';
import { createAsking } from './asking.ts';
import { createPredicting } from './predicting.ts';
import { createAnswerRecovery, recoverAnswers } from './recover-answers.ts';
import { createRunningAnswers } from './running-answers.ts';

/** Time for running answers to complete when the server stops, in ms; afterwards they are interrupted. */
const drainMs = 10_000;

export type OpenChat = ReturnType<typeof openChat>;

export function openChat(deps: {
  models: RecordModels & FileModels;
  log: Logger;
  self: ThisProcess;
  jobs: Pick<Jobs, 'define' | 'add'>;
  accounts: Pick<OpenAccounts, 'guests'>;
  answers: Pick<Answers, 'answerer'>;
  files: OpenFiles;
  records: OpenRecords;
  metrics: Pick<Metrics, 'answer'> | null;
}) {
  const { models, log, self, jobs, answers, files, records } = deps;
  const { guests } = deps.accounts;
  const { filesOf, documentsOf } = files.readFiles;
  const running = createRunningAnswers({
    records: models.records,
    shownTo: records.hidden.shownTo,
    self,
    log,
    onEnd: (outcome, times) => deps.metrics?.answer(outcome, times),
  });
  const recover = (isAlone: boolean) =>
    recoverAnswers(models, records.contacts, self, isAlone, (id) => running.get(id) !== undefined);
  const recovery = createAnswerRecovery({ ...models, jobs, recover: () => recover(false) });
  const parts = { models, filesOf, documentsOf, running, guests, self, recovery };
  const asking = createAsking({ ...records, ...answers, ...parts });
  const predicting = createPredicting({ ...records, ...files, asking, uploads: models.uploads, guests });
  return {
    asking,
    predicting,
    /** Ends the answers of dead processes, now and later. `isAlone` means that no other process can be using this store. */
    async recover(isAlone: boolean): Promise<void> {
      await recover(isAlone);
      if (!isAlone) await recovery.expectAnswer();
    },
    /** To be called before a record that another domain answers is created. */
    expectAnswer: recovery.expectAnswer,
    /** Stops reading files at once; running answers have a time limit to complete. */
    async stop(): Promise<void> {
      await Promise.all([predicting.stop(), running.drain(drainMs)]);
    },
  };
}
