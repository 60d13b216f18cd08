import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { createAccountModels } from './accounts/account-models.ts';
import { createAuditLog, createAuditModel } from './accounts/audit/audit-log.ts';
import { createAuditStream, createAuditStreamModel } from './accounts/audit/audit-stream.ts';
import { createLogSecurity } from './accounts/audit/log-security.ts';
import { createUsageCount, ownedUsage } from './accounts/model-usage.ts';
import { openAccounts } from './accounts/open-accounts.ts';
import { createRights } from './accounts/rights.ts';
import { deriveKey, loadSecret } from './accounts/secrets.ts';
import { createTransfers } from './accounts/transfers.ts';
import type { DeskChoices } from './answers/desk-choices.ts';
import { nothingFound } from './answers/extract/answer-by-extraction.ts';
import { findSharedPassages } from './answers/index/read-passage.ts';
import { createModelDesk, type ModelDesk } from './answers/model/model-desk.ts';
import { type Answers, openAnswers as openOwnAnswers } from './answers/open-answers.ts';
import { openChat } from './chat/open-chat.ts';
import { createCollectionModel, createCollections } from './collections/collections.ts';
import type { Config } from './config/config.ts';
import { forEachLanguage } from './contract/language.ts';
import type { DeskSettings } from './contract/settings.ts';
import { createFileModels } from './files/file-models.ts';
import { openFiles } from './files/open-files.ts';
import { createHandoverModel } from './handover/handover.ts';
import { handoversOfRecords, ownedHandovers, takenHandovers } from './handover/handover-data.ts';
import { openHandover } from './handover/open-handover.ts';
import { createGoldenModels } from './knowledge/golden/golden-model.ts';
import { openInbox } from './knowledge/inbox.ts';
import { openKnowledge } from './knowledge/open-knowledge.ts';
import { createSynonymList, createSynonymModel } from './knowledge/synonym-list.ts';
import { createUnansweredModel } from './knowledge/unanswered.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import { createHiddenRecords } from './records/hidden-records.ts';
import { openRecords } from './records/open-records.ts';
import { createOwnedRecords } from './records/owned-records.ts';
import { createRecordModels } from './records/record-models.ts';
import { createShownTo } from './records/withdrawn-answers.ts';
import { openCompositions } from './releases/open-compositions.ts';
import { createReadDesk } from './settings/desk-info.ts';
import { createDeskSettings, createSettingsModels, nothingFoundText } from './settings/desk-settings.ts';
import { createReadFirstSteps } from './settings/first-steps.ts';
import { createLogos } from './settings/logos.ts';
import { createRetention } from './settings/retention.ts';
import { createChanges } from './store/changes.ts';
import { databaseNow } from './store/database-clock.ts';
import { createIndexes } from './store/define-model.ts';
import { createJobModel, createJobs } from './store/jobs/jobs.ts';
import type { Store } from './store/open-store.ts';
import { createThisProcess } from './store/process-lease.ts';

export interface DomainOptions extends Pick<Parameters<typeof createJobs>[0], 'sweepsAtStart'> {
  config: Config;
  log: Logger;
  store: Store;
  /** null: nothing is measured. */
  metrics: Metrics | null;
  /** Replaces the default answers. */
  openAnswers?: (
    connection: Connection,
    config: Config,
    log: Logger,
    byModel: Pick<ModelDesk, 'takes' | 'answer'>,
    choices: DeskChoices,
  ) => Promise<Answers>;
}

export function createModels(connection: Connection) {
  return {
    ...createAccountModels(connection),
    ...createRecordModels(connection),
    ...createFileModels(connection),
    unanswered: createUnansweredModel(connection),
    ...createGoldenModels(connection),
    synonyms: createSynonymModel(connection),
    handovers: createHandoverModel(connection),
    collections: createCollectionModel(connection),
    ...createSettingsModels(connection),
    audit: createAuditModel(connection),
    auditStreams: createAuditStreamModel(connection),
    jobs: createJobModel(connection),
  };
}

export type Domains = Awaited<ReturnType<typeof openDomains>>;

/**
 * Opens every domain with the others that it uses. The order differs from that of the imports: upper domains
 * implement interfaces of lower ones, for example records the accounts' interface for the data of an owner.
 */
export async function openDomains({
  config,
  log,
  store,
  metrics,
  openAnswers = openOwnAnswers,
  sweepsAtStart = true,
}: DomainOptions) {
  const { connection, clock, isAlone } = store;
  const models = createModels(connection);
  await createIndexes(models);
  const secret = await loadSecret(config, models.settings);
  const keyFor = (use: string) => deriveKey(secret, use);
  const synonyms = createSynonymList(models.synonyms);
  await synonyms.read();
  const settings = createDeskSettings(models);
  await settings.refresh();
  const set = () => settings.latest();
  const collections = createCollections(models, createRights(config));
  const self = createThisProcess(clock.now);
  const changes = createChanges({ connection, isAlone, log });
  const jobs = createJobs({ model: models.jobs, self, clock, isAlone, sweepsAtStart, changes, log });
  const applied = configWith(config, set);

  const audit = createAuditLog(models, config, log);
  const auditing = createLogSecurity(log, audit);
  const usage = createUsageCount(models.usage, config.limitModelTokens, log, databaseNow, (tokens, model) =>
    metrics?.tokens(tokens, model),
  );
  const patience = { firstTokenMs: config.modelTimeout * 1000 };
  const modelDesk = createModelDesk({
    models: config.models,
    usage,
    log,
    patience,
    offered: () => set().models,
  });
  const opened = await openAnswers(connection, config, log, modelDesk, {
    usesHandbook: () => set().handbook,
    synonyms: synonyms.latest,
    nothingFound: (language, product) => nothingFoundText(set(), language, product),
    readableBy: collections.readableBy,
    operates: collections.operates,
  });
  const answers: Answers = {
    ...opened,
    index: {
      ...opened.index,
      async put(document, options) {
        const count = await opened.index.put(document, options);
        await jobs.add('passage vectors');
        return count;
      },
    },
  };
  const { documents, passages, findable } = answers.models;
  const hidden = createHiddenRecords(models.deletions, createShownTo(answers.models, collections.readableBy));
  const files = await openFiles({ connection, models, config: applied, self, isAlone, hidden, answers });
  const { inbox, groups, pairs } = openInbox(
    models,
    answers.models.pairs,
    keyFor('inbox'),
    collections.audienceOf,
  );
  const ofOthers = [
    files.owned,
    documents,
    passages,
    findable,
    ownedUsage(models.usage),
    ownedHandovers(models.handovers),
  ];
  const owned = createOwnedRecords(models, ofOthers, inbox);
  const accounts = await openAccounts({
    connection,
    models,
    config: applied,
    log,
    keyFor,
    owned,
    bytesKept: files.bytesKept,
    isEditor: collections.isEditor,
  });
  const records = openRecords({
    models,
    hidden,
    config: applied,
    self,
    jobs,
    keyFor,
    accounts,
    files,
    inbox: groups,
    handovers: handoversOfRecords(models, hidden),
    findSharedPassages: (ids) => findSharedPassages(passages, ids),
  });
  const chat = openChat({ models, log, self, jobs, accounts, answers, files, records, metrics });
  const knowledge = openKnowledge({
    config: applied,
    answers,
    files,
    collections,
    goldenModels: models,
    synonyms,
    pairs,
    inbox,
    jobs,
    log,
    search: records.search,
    settings: () => JSON.stringify([set().handbook, set().models, synonyms.revision()]),
    configuration: JSON.stringify([
      config.handbook,
      config.models.map(({ name }) => name),
      config.embeddings?.model ?? '',
      config.rerank?.model ?? '',
    ]),
  });
  const handover = openHandover({ models, records, accounts, chat, pairs });
  const readDesk = createReadDesk(settings, {
    local: config.signIn.isLocal,
    providers: accounts.providers.list,
  });
  const compositions = await openCompositions({
    connection,
    config: applied,
    log,
    keyFor,
    logSecurity: auditing.logSecurity,
    isAlone,
    jobs,
    changes,
    files: files.store,
    settings: models.settings,
    needUser: accounts.identity.needToken,
    operators: accounts.operators,
    desk: readDesk,
    metrics,
  });
  return {
    config: applied,
    log,
    self,
    clock,
    isAlone,
    ping: store.ping,
    jobs,
    jobDocuments: models.jobs,
    metrics,
    changes,
    audit,
    auditStream: createAuditStream(models, config, log),
    auditing,
    accounts,
    transfers: createTransfers({
      models,
      shared: {
        collections: collections.editing,
        handovers: takenHandovers(models.handovers, accounts.rights),
      },
      jobs,
    }),
    collections,
    answers,
    modelDesk,
    files,
    records,
    chat,
    knowledge,
    handover,
    compositions,
    desk: {
      settings,
      logos: createLogos(models),
      read: readDesk,
      readFirstSteps: createReadFirstSteps({ documents, records: models.records, settings }),
      retention: createRetention(models, records.deletions, () => set().recordDays),
      product: {
        models: config.models.map(({ name }) => name),
        handbook: config.handbook,
        guestDays: config.guestDays,
        undoDays: config.undoDays,
        notFound: forEachLanguage(nothingFound),
      },
    },
  };
}

/** The configuration with the values that administrators may change; these are read each time. */
function configWith(config: Config, set: () => DeskSettings): Config {
  return {
    ...config,
    get guestDays() {
      return set().guestDays ?? config.guestDays;
    },
  };
}
