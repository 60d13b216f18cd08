import type { AccountModels } from '../accounts/account-models.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { Config } from '../config/config.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { ThisProcess } from '../store/process-lease.ts';
import { createReadSelected } from './archive/exported-records.ts';
import { createExporting } from './archive/exporting.ts';
import { createImporting } from './archive/importing.ts';
import { createContactBook } from './contact-book/contact-book.ts';
import { createContactChanges, createContactWork } from './contact-book/contact-changes.ts';
import { createContactReader } from './contact-book/contact-details.ts';
import { createContacts } from './contacts.ts';
import { createConversationExport } from './conversation-export/conversation-export.ts';
import { createConversationSummaries } from './conversation-summaries.ts';
import { createConversations } from './conversations.ts';
import { createRecordCreator } from './create-record.ts';
import type { DeletedFiles } from './deletion/deletion-phases.ts';
import type { InboxGroups } from './deletion/deletion-records.ts';
import { createDeletions } from './deletion/deletions.ts';
import { forgetReasons } from './forget-reasons.ts';
import { createFindRecord, type HiddenRecords } from './hidden-records.ts';
import { createReports, type ReadPicture } from './pdf/reports.ts';
import type { RecordHandovers } from './record-handovers.ts';
import { createRecordList, type FindIncompleteSources } from './record-list.ts';
import type { RecordModels } from './record-models.ts';
import { createMatchingRecords } from './search/matching-records.ts';
import { createSearch } from './search/search.ts';
import { createSharedConversations, type FindSharedPassages } from './sharing/shared-conversations.ts';
import { createShares } from './sharing/shares.ts';
import { createCountedDays } from './statistics/counted-days.ts';
import { createDeskDays } from './statistics/desk-days.ts';
import { createStats } from './statistics/stats.ts';
import { upgradeRecords } from './upgrade-records.ts';

export type OpenRecords = ReturnType<typeof openRecords>;

/** `files` and `handovers` are those of the records, `inbox` the groups of unanswered questions. */
export function openRecords(deps: {
  models: RecordModels & Pick<AccountModels, 'users' | 'guests' | 'settings'>;
  hidden: HiddenRecords;
  config: Pick<Config, 'undoDays'>;
  self: ThisProcess;
  jobs: Jobs;
  keyFor: (use: string) => Buffer;
  accounts: Pick<OpenAccounts, 'guests' | 'sessions'>;
  files: DeletedFiles & {
    readFiles: { readPicture: ReadPicture };
    findIncompleteSources: FindIncompleteSources;
  };
  inbox: InboxGroups;
  handovers: RecordHandovers;
  findSharedPassages: FindSharedPassages;
}) {
  const { models, hidden, config, keyFor, files, handovers } = deps;
  const { guests, sessions } = deps.accounts;
  const summaries = createConversationSummaries(models, hidden);
  const contacts = createContacts(models, hidden);
  const conversations = createConversations(models, hidden, summaries, handovers);
  const matching = createMatchingRecords({ records: models.records, contacts, hidden });
  const findRecord = createFindRecord(models.records, hidden);
  const contactWork = createContactWork({
    cards: models.contactCards,
    changes: createContactChanges(models, contacts, summaries),
    jobs: deps.jobs,
  });
  const parts = { ...deps, summaries, contacts, contactWork, matching };
  const countedDays = createCountedDays(models);
  const stats = createStats({
    ...parts,
    hidden,
    countedDays,
    countSoon: () => deps.jobs.add(countedDays.kind),
  });
  const reports = createReports({
    readSelected: createReadSelected({ records: models.records, matching, hidden }),
    matching,
    stats,
    contacts,
    readPicture: files.readFiles.readPicture,
  });
  return {
    hidden,
    findRecord,
    createRecord: createRecordCreator({ ...parts, guests, findRecord }),
    recordList: createRecordList(models.records, hidden, findRecord, files.findIncompleteSources),
    contacts,
    contactBook: createContactBook({
      ...deps,
      undoDays: config.undoDays,
      reader: createContactReader(models, contacts, hidden),
      work: contactWork,
    }),
    conversations,
    summaries,
    search: createSearch(matching, conversations, hidden),
    stats,
    countedDays,
    deskDays: createDeskDays(models.records, models.deskDays),
    deletions: createDeletions({ ...parts, auditKey: keyFor('audit'), undoDays: config.undoDays }),
    exporting: createExporting({ ...parts, conversations, sessions }),
    importing: createImporting({ models, contacts, guests, hideFiles: files.hideFiles }),
    reports,
    conversationExport: createConversationExport({ ...parts, reports }),
    shares: createShares(parts),
    shared: createSharedConversations(parts),
    /** Adds to records of earlier versions what this version stores with them. Resolves early when `signal` aborts. */
    upgrade: (signal: AbortSignal): Promise<unknown> => upgradeRecords(models, contacts, signal),
    /** Removes explanations of older answers. */
    forgetReasons: (signal: AbortSignal): Promise<void> => forgetReasons(models.records, signal),
  };
}
