import { randomBytes } from 'node:crypto';
import { createContactChanges, createContactWork } from '../records/contact-book/contact-changes.ts';
import { createContacts } from '../records/contacts.ts';
import { createConversationSummaries } from '../records/conversation-summaries.ts';
import { createDeletions } from '../records/deletion/deletions.ts';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { createMatchingRecords } from '../records/search/matching-records.ts';
import { createJobs } from '../store/jobs/jobs.ts';
import { createThisProcess } from '../store/process-lease.ts';
import type { TestStore } from './open-test-models.ts';

type Log = Parameters<typeof createJobs>[0]['log'];

/** The job runner of one of several processes on a store. It runs no jobs before `start`. */
export function createTestJobs({ models, clock }: TestStore, log: Log) {
  const self = createThisProcess(clock.now);
  const changes = { follow: () => undefined };
  return { self, jobs: createJobs({ model: models.jobs, self, clock, isAlone: false, changes, log }) };
}

/** The deletions of one of several processes on a store, until `stop`. */
export function openTestDeletions(store: TestStore, log: Log) {
  const { models } = store;
  const { self, jobs } = createTestJobs(store, log);
  const hidden = createHiddenRecords(models.deletions);
  const contacts = createContacts(models, hidden);
  const summaries = createConversationSummaries(models, hidden);
  const matching = createMatchingRecords({ records: models.records, contacts, hidden });
  const changes = createContactChanges(models, contacts, summaries);
  const contactWork = createContactWork({ cards: models.contactCards, changes, jobs });
  const parts = { models, hidden, contacts, summaries, matching, contactWork, self, jobs };
  const deletions = createDeletions({ ...parts, auditKey: randomBytes(32), undoDays: 7 });
  jobs.start();
  return { ...parts, deletions, stop: jobs.stop };
}
