import type { AccountModels } from '../../accounts/account-models.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import type { ThisProcess } from '../../store/process-lease.ts';
import type { ContactWork } from '../contact-book/contact-work.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { createAudits } from './audits.ts';
import { createDeletionDecision } from './deletion-decision.ts';
import { createDeletionPhases, type DeletedFiles } from './deletion-phases.ts';
import type { DeletedHandovers, InboxGroups } from './deletion-records.ts';
import { createDeletionWork } from './deletion-work.ts';
import { createDeletions } from './deletions.ts';

/** Wires deletions. `auditKey` is used for their audit log only, see `deriveKey`. */
export function openDeletions(deps: {
  models: RecordModels & Pick<AccountModels, 'guests'>;
  hidden: HiddenRecords;
  summaries: ConversationSummaries;
  contacts: Contacts;
  contactWork: ContactWork;
  matching: MatchingRecords;
  self: ThisProcess;
  jobs: Jobs;
  auditKey: Buffer;
  undoDays: number;
  inbox?: InboxGroups;
  handovers?: DeletedHandovers;
  files?: DeletedFiles;
}) {
  const { models, hidden, auditKey, undoDays } = deps;
  const audits = createAudits(models.audits, auditKey);
  const phases = createDeletionPhases({ ...deps, audits });
  const work = createDeletionWork({ ...deps, deletions: models.deletions, phases });
  const decision = createDeletionDecision(models, hidden, audits, undoDays);
  return createDeletions({ ...deps, decision, work });
}
