import type { Logger } from 'pino';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { Answers } from '../answers/open-answers.ts';
import type { FileModels } from '../files/file-models.ts';
import type { OpenFiles } from '../files/open-files.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordModels } from '../records/record-models.ts';
import type { ThisProcess } from '../store/process-lease.ts';
import { type Asking, createAsking } from './asking.ts';
import { createPredicting, type Predicting } from './predicting.ts';
import { recoverAnswers } from './recover-answers.ts';
import { createRunningAnswers } from './running-answers.ts';

/** Time for running answers to complete when the server stops, in ms; afterwards they are interrupted. */
const drainMs = 10_000;

export interface OpenChat {
  asking: Asking;
  predicting: Predicting;
  /** Ends the answers of dead processes. `isAlone` means that no other process can be using this store. */
  recover(isAlone: boolean): Promise<void>;
  /** Stops reading files at once; running answers have a time limit to complete. */
  stop(): Promise<void>;
}

export function openChat(deps: {
  models: RecordModels & FileModels;
  log: Logger;
  self: ThisProcess;
  accounts: Pick<OpenAccounts, 'guests'>;
  answers: Pick<Answers, 'answerer'>;
  files: OpenFiles;
  records: OpenRecords;
}): OpenChat {
  const { models, log, self, answers, files, records } = deps;
  const { guests } = deps.accounts;
  const { filesOf, documentsOf } = files.readFiles;
  const running = createRunningAnswers({ records: models.records, self, log });
  const asking = createAsking({
    ...records,
    ...answers,
    models,
    filesOf,
    documentsOf,
    running,
    guests,
    self,
  });
  const predicting = createPredicting({ ...records, ...files, asking, uploads: models.uploads, guests });
  return {
    asking,
    predicting,
    async recover(isAlone) {
      await recoverAnswers(models, records.contacts, self, isAlone, (id) => running.get(id) !== undefined);
    },
    async stop() {
      await Promise.all([predicting.stop(), running.drain(drainMs)]);
    },
  };
}
