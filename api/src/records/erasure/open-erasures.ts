import type { Logger } from 'pino';
import type { AccountModels } from '../../accounts/account-models.ts';
import type { ThisProcess } from '../../store/process-lease.ts';
import type { Contacts } from '../contacts.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { createAudits } from './audits.ts';
import { createErasureDecision } from './erasure-decision.ts';
import { createErasurePhases, type ErasedFiles } from './erasure-phases.ts';
import type { ErasedHandovers, InboxGroups } from './erasure-records.ts';
import { createErasureWork } from './erasure-work.ts';
import { createErasures, type Erasures } from './erasures.ts';

/** Wires deletions. `auditKey` is used for their audit log only, see `deriveKey`. */
export function openErasures(deps: {
  models: RecordModels & Pick<AccountModels, 'guests'>;
  hidden: HiddenRecords;
  summaries: ConversationSummaries;
  contacts: Contacts;
  matching: MatchingRecords;
  self: ThisProcess;
  log: Pick<Logger, 'warn'>;
  auditKey: Buffer;
  undoDays: number;
  inbox?: InboxGroups;
  handovers?: ErasedHandovers;
  files?: ErasedFiles;
}): Erasures {
  const { models, hidden, auditKey, undoDays } = deps;
  const audits = createAudits(models.audits, auditKey);
  const phases = createErasurePhases({ ...deps, audits });
  const work = createErasureWork({ ...deps, erasures: models.erasures, phases });
  const decision = createErasureDecision(models, hidden, audits, undoDays);
  return createErasures({ ...deps, decision, work });
}
