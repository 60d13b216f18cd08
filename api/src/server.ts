import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { createAccountModels } from './accounts/account-models.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createDeviceCookies } from './accounts/device-cookie.ts';
import { createEditors } from './accounts/editors.ts';
import { createGuestCookies } from './accounts/guest-cookie.ts';
import { createGuests } from './accounts/guests.ts';
import { createIdentity } from './accounts/identify.ts';
import { addressKey } from './accounts/limit.ts';
import { createLimit, createLimitIndexes, createLocalLimit } from './accounts/limits.ts';
import { createUsageCount, ownedUsage } from './accounts/model-usage.ts';
import { createOpsIdentity } from './accounts/ops-identity.ts';
import { createQuotas } from './accounts/quotas.ts';
import { deriveKey, loadOpsToken, loadSecret } from './accounts/secrets.ts';
import { createSessions } from './accounts/sessions.ts';
import type { Answerer } from './answers/answerer.ts';
import type { OpenEmbeddings } from './answers/embeddings/open-embeddings.ts';
import type { KnowledgeIndex } from './answers/knowledge-index.ts';
import { createKnowledgeModels } from './answers/knowledge-models.ts';
import type { ModelAnswers } from './answers/model/model-answers.ts';
import { createModelDesk, type ModelDesk } from './answers/model/model-desk.ts';
import type { ReadPassage } from './answers/read-passage.ts';
import type { Starters } from './answers/starters.ts';
import { createApp } from './app.ts';
import { createAsking } from './chat/asking.ts';
import { createPredicting } from './chat/predicting.ts';
import { recoverAnswers } from './chat/recover-answers.ts';
import { createRunningAnswers } from './chat/running-answers.ts';
import { openCanaries } from './compositions/canary/open-canaries.ts';
import { createCheckFiles } from './compositions/check/check-files.ts';
import { createCheck } from './compositions/check/create-check.ts';
import { createComposing } from './compositions/composing.ts';
import { createCompositionIndexes, createCompositionStore } from './compositions/composition-store.ts';
import { createReleaseHealth } from './compositions/health/release-health.ts';
import { createHealthCountModel } from './compositions/health-count.ts';
import { createLiveComposition } from './compositions/live-composition.ts';
import { createOverrides } from './compositions/override/create-overrides.ts';
import { createPagesRouter, isBrowsers } from './compositions/pages/create-pages-router.ts';
import { type Published, publishBuilds } from './compositions/publish-builds.ts';
import { sweepReleases } from './compositions/sweep-releases.ts';
import type { Config } from './config/config.ts';
import { createExtractor } from './files/extraction/create-extractor.ts';
import { createFileModels } from './files/file-models.ts';
import { openUploads } from './files/open-uploads.ts';
import { createReadOwnPassage } from './files/read-own-passage.ts';
import { createDiskFileStore } from './files/storage/disk-file-store.ts';
import { createGridFsFileStore } from './files/storage/gridfs-file-store.ts';
import { openTemporaryFolder } from './files/temporary-folder.ts';
import { createLog } from './http/create-log.ts';
import { answerHttpFaults, onlyPaths } from './http/http-faults.ts';
import type { WithOverlay } from './knowledge/check-change.ts';
import { openInbox } from './knowledge/open-inbox.ts';
import { openKnowledge } from './knowledge/open-knowledge.ts';
import { createUnansweredModel } from './knowledge/unanswered.ts';
import { createExportedRecords } from './records/archive/exported-records.ts';
import { createExporting } from './records/archive/exporting.ts';
import { createImporting } from './records/archive/importing.ts';
import { createContacts } from './records/contacts.ts';
import { createConversationSummaries } from './records/conversation-summaries.ts';
import { createConversations } from './records/conversations.ts';
import { createRecordCreator } from './records/create-record.ts';
import { openErasures } from './records/erasure/open-erasures.ts';
import { createFeedback } from './records/feedback.ts';
import { createFindRecord } from './records/find-record.ts';
import { createHiddenRecords } from './records/hidden-records.ts';
import { createOwnedRecords } from './records/owned-records.ts';
import { createReports } from './records/pdf/reports.ts';
import { createRecordList } from './records/record-list.ts';
import { createRecordModels } from './records/record-models.ts';
import { createMatchingRecords } from './records/search/matching-records.ts';
import { createSearch } from './records/search/search.ts';
import { createStats } from './records/statistics/stats.ts';
import { upgradeRecords } from './records/upgrade-records.ts';
import { createIndexes } from './store/create-indexes.ts';
import { errorCode } from './store/error-code.ts';
import { openStore, type Store } from './store/open-store.ts';
import { createThisProcess } from './store/process-lease.ts';
import { repeat } from './store/repeat.ts';
import { warnOfSharedFolder } from './store/shared-folder.ts';

/** The answering of questions, on one store. */
export interface Answering {
  answerer: Answerer;
  readPassage: ReadPassage;
  /** Indexes documents for search. */
  index: KnowledgeIndex;
  starters: Starters;
  /** Answers as if the knowledge base had been changed. */
  withOverlay: WithOverlay;
  /** null or omitted if none are configured. */
  embeddings?: OpenEmbeddings | null;
}

export interface StartOptions {
  config: Config;
  /**
   * Folders of built workspaces (their `dist/`); these are published and made live unless operators chose
   * otherwise.
   */
  builds?: readonly string[];
  /** Replaces the log on standard error. */
  log?: Logger;
  /** Replaces the default answering. */
  openAnswering?: (
    connection: Connection,
    config: Config,
    log: Logger,
    byModel: ModelAnswers,
  ) => Promise<Answering>;
}

export interface RunningServer {
  /** Public URL without a trailing slash. */
  url: string;
  /** Result of publishing `builds`; null without any. */
  published: Published | null;
  /** Stops accepting connections, lets running answers end within a time limit, closes the store. */
  close(): Promise<void>;
}

/** Time for running answers to complete when the server stops, in ms; afterwards they are interrupted. */
const drainMs = 10_000;
/**
 * Time limit of a request in ms: archives are read as fast as they are imported. Headers have a shorter
 * limit.
 */
const requestTimeoutMs = 3_600_000;
/** Page reports accepted per minute from one address, which may be shared by an office. */
const reportsPerMinute = 600;
/** Interval of checks for answers of dead processes and expired data, in ms. */
const recoverEveryMs = 15_000;
const sweepEveryMs = 3_600_000;
/** Interval of checks for passages without a vector, in ms. */
const embedEveryMs = 3000;
/** Age after which an upload no longer belongs to a running request, in ms. */
const maxUploadMs = 3_600_000;

/**
 * Starts the whole server: store, recovery after a crash, publishing, HTTP.
 * @throws Error if the store does not answer, the DATA_DIR is in use or the port is occupied.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, builds, openAnswering = openOwnAnswering } = options;
  const { log = createLog(config.logLevel) } = options;
  const store = await openStore(config);
  await warnOfSharedFolder(config.dataDir, log);
  try {
    const models = createModels(store.connection);
    await createIndexes(models);
    const modelDesk = openModelDesk(models, config, log);
    const answering = await openAnswering(store.connection, config, log, modelDesk);
    return await serve({ config, builds, log, store, models, answering, modelDesk });
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

type Models = ReturnType<typeof createModels>;

function createModels(connection: Connection) {
  return {
    ...createAccountModels(connection),
    ...createRecordModels(connection),
    ...createFileModels(connection),
    unanswered: createUnansweredModel(connection),
  };
}

async function openOwnAnswering(
  connection: Connection,
  config: Config,
  log: Logger,
  byModel: ModelAnswers,
): Promise<Answering> {
  const { openAnswering } = await import('./answers/open-answering.ts');
  return openAnswering(connection, config, log, byModel);
}

function openModelDesk(models: Models, config: Config, log: Logger): ModelDesk {
  return createModelDesk({
    models: config.models,
    usage: createUsageCount(models.usage, config.limitModelTokens, log),
    log,
    patience: { firstTokenMs: config.modelTimeout * 1000 },
  });
}

async function serve(parts: {
  config: Config;
  builds: readonly string[] | undefined;
  log: Logger;
  store: Store;
  models: Models;
  answering: Answering;
  modelDesk: ModelDesk;
}): Promise<RunningServer> {
  const { config, builds, log, store, models, answering, modelDesk } = parts;
  const { connection } = store;
  const [secret, opsToken] = await Promise.all([
    loadSecret(config, models.settings),
    loadOpsToken(config, models.settings),
    createLimitIndexes(connection),
  ]);

  const self = createThisProcess();
  const startedAt = Date.now();
  const files =
    config.mongodbUri === null
      ? createDiskFileStore(join(config.dataDir, 'files'))
      : createGridFsFileStore(connection);
  const compositions = createCompositionStore(connection);
  await createCompositionIndexes(compositions);
  const live = createLiveComposition(compositions);
  const overrides = createOverrides({ key: deriveKey(secret, 'override'), config, live });
  const hidden = createHiddenRecords(models.erasures);
  const folder = await openTemporaryFolder(config.dataDir, self, store.isAlone);
  const upload = { folder: folder.path, maxMb: config.maxUploadMb };
  const knowledgeModels = createKnowledgeModels(connection);
  const { documents, passages, pairs } = knowledgeModels;
  const inbox = openInbox(models, pairs, deriveKey(secret, 'inbox'));
  const uploads = openUploads({ models, documents, index: answering.index, files, hidden });
  const owned = createOwnedRecords(
    models,
    [uploads.owned, documents, passages, knowledgeModels.findable, ownedUsage(models.usage)],
    inbox.inbox,
  );
  const sessions = createSessions(models, config);
  const guests = createGuests(models, owned, config);
  const accounts = createAccounts({ models, sessions, guests, owned, config });
  const running = createRunningAnswers({ records: models.records, self, log });
  const standing = createConversationSummaries(models, hidden);
  const contacts = createContacts(models, hidden);
  const matching = createMatchingRecords({ records: models.records, contacts, hidden });
  const erasures = openErasures({
    models,
    hidden,
    standing,
    contacts,
    matching,
    self,
    log,
    auditKey: deriveKey(secret, 'audit'),
    undoDays: config.undoDays,
    files: uploads,
    inbox: inbox.groups,
  });
  const { answerer } = answering;
  const findRecord = createFindRecord(models.records, hidden);
  const { storeFile, readFiles, deleteFiles, hideFiles } = uploads;
  const asking = createAsking({
    models,
    hidden,
    findRecord,
    createRecord: createRecordCreator({ models, contacts, hidden, standing, guests, findRecord, self }),
    filesOf: readFiles.filesOf,
    documentsOf: readFiles.documentsOf,
    answerer,
    running,
    guests,
    self,
  });
  const extractor = createExtractor({ limits: { maxPages: config.maxPages } });
  const editors = createEditors(models, config, log);
  await editors.adoptNames();
  const knowledge = openKnowledge({
    editors,
    models: knowledgeModels,
    ...inbox,
    blobs: uploads.blobs,
    extractor,
    index: answering.index,
    withOverlay: answering.withOverlay,
    self,
    log,
    folder: folder.path,
    embeddings: answering.embeddings,
  });
  const predicting = createPredicting({
    extractor,
    asking,
    storeFile,
    deleteFiles,
    uploads: models.uploads,
    contacts,
    standing,
    guests,
  });
  const cookies = createGuestCookies(deriveKey(secret, 'guest cookie'), config.guestDays);
  const identity = createIdentity({ sessions, guests, cookies, config });
  const ops = createOpsIdentity({
    opsToken,
    config,
    key: deriveKey(secret, 'ops session'),
    needToken: identity.needToken,
    wrongTokens: createLimit(connection, 'ops_token', config.limitSignIn),
  });

  const releases = {
    store: compositions,
    files,
    checkFiles: createCheckFiles({ files, ...pagesOf(config) }),
    releaseOrigins: config.releaseOrigins,
    now: () => new Date(),
  };
  const health = createReleaseHealth({
    counts: createHealthCountModel(connection),
    flush: () => canary.pageReports.flush(),
  });
  const composing = createComposing({
    store: compositions,
    check: createCheck({ store: compositions, files, health, ...pagesOf(config) }),
    health,
    log,
    now: () => new Date(),
  });
  const canary = await openCanaries({
    connection,
    store: compositions,
    composing,
    live,
    config,
    key: deriveKey(secret, 'page reports'),
    log,
  });

  await recoverAnswers(models, contacts, self, store.isAlone);
  await Promise.all([guests.resume(), accounts.resume()]);
  await erasures.resume();
  const published = builds
    ? await publishBuilds(builds, { store: compositions, files, health, now: () => new Date() })
    : null;

  const conversations = createConversations(models, hidden, standing);
  const app = createApp({
    config,
    log,
    ping: store.ping,
    identity,
    devices: createDeviceCookies(deriveKey(secret, 'device cookie')),
    ops,
    composing,
    canaries: canary.canaries,
    pageReports: canary.pageReports,
    readHealth: canary.readHealth,
    releases,
    overrides,
    live,
    compositions,
    accounts,
    sessions,
    asking,
    predicting,
    readFiles,
    upload,
    quotas: createQuotas(connection, uploads.bytesKept, config),
    knowledge,
    editors,
    modelDesk,
    embeddings: answering.embeddings ?? null,
    contacts,
    search: createSearch(matching),
    stats: createStats(matching),
    feedback: createFeedback(models.records, hidden),
    conversations,
    recordList: createRecordList(models, hidden),
    erasures,
    exporting: createExporting({ models, matching, hidden, conversations, contacts, sessions }),
    importing: createImporting({ models, contacts, guests, hideFiles }),
    reports: createReports({
      selected: createExportedRecords({ records: models.records, matching, hidden }),
      matching,
      contacts,
      readPicture: readFiles.readPicture,
    }),
    starters: answering.starters,
    readPassage: createReadOwnPassage({ passages, readFiles, readPassage: answering.readPassage }),
    limits: {
      chat: createLimit(connection, 'chat', config.limitChat),
      signIn: createLimit(connection, 'sign_in', config.limitSignIn),
      pdf: createLimit(connection, 'pdf', config.limitPdf),
      reports: createLocalLimit(reportsPerMinute),
    },
    pages: createPagesRouter({
      store: compositions,
      live,
      choosers: [overrides.choose, canary.choose],
      files,
      avatars: avatarsOf(config),
      onDamage: (key, how) =>
        log.error(
          { key },
          how === 'missing'
            ? 'a file of a release is missing'
            : 'a file of a release does not match what was published',
        ),
      onServed: ({ id, host }, ctx) => {
        const page = { composition: id, version: host.live.version, isOpened: isBrowsers(ctx) };
        canary.pageReports.served(page, addressKey(ctx.ip));
      },
      onFailure: (cause) =>
        log.warn({ err: cause }, 'choosing the page of a visitor failed, so the live composition was sent'),
    }),
  });
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs, requireHostHeader: false },
    onlyPaths(app.callback(), config),
  );
  answerHttpFaults(server, config);
  await listen(server, config);

  const stopping = new AbortController();
  canary.watch();
  const recovering = repeat(recoverEveryMs, log, async () => {
    await recoverAnswers(models, contacts, self, false, (id) => running.get(id) !== undefined);
    await erasures.resume();
    await knowledge.resume();
    await answering.index.sweep(stopping.signal);
  });
  const sweeping = repeat(sweepEveryMs, log, async () => {
    await erasures.sweep();
    await guests.sweep();
    await accounts.resume();
    await folder.sweep();
    // If no other process uses the store, requests that were running when it was opened have ended.
    const cutOff = Math.max(store.isAlone ? startedAt : 0, Date.now() - maxUploadMs);
    await uploads.sweep(new Date(cutOff));
    const swept = await sweepReleases(config.releaseRetention, releases);
    if (Object.values(swept).some(({ length }) => length > 0))
      log.info(swept, 'releases were removed or marked for removal');
  });
  const embedding = repeat(embedEveryMs, log, async () => answering.embeddings?.begin());
  const upgrading = repeat(sweepEveryMs, log, () => upgradeRecords(models, contacts, stopping.signal));

  return {
    url: config.publicUrl ?? urlOf(server, config.host),
    published,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      stopping.abort();
      const cancelled = predicting.stop();
      const indexed = knowledge.stop();
      const erased = erasures.stop();
      await Promise.all([
        recovering.stop(),
        sweeping.stop(),
        upgrading.stop(),
        embedding.stop().then(() => answering.embeddings?.stop()),
        canary.stop(),
        erased,
        running.drain(drainMs),
        cancelled,
        indexed,
      ]);
      await extractor.close();
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(timer);
      await folder.remove();
      self.end();
      await store.close();
    },
  };
}

/** Origin of the pages, and origins from which they may load releases. */
function pagesOf({ publicUrl, host, port, releaseOrigins }: Config) {
  const pageOrigin = publicUrl === null ? `http://${reachableAt(host)}:${port}` : new URL(publicUrl).origin;
  return { pageOrigin, releaseOrigins };
}

function avatarsOf({ avatarUserUrl, avatarBotUrl }: Config): { user?: string; bot?: string } {
  return {
    ...(avatarUserUrl === null ? {} : { user: avatarUserUrl }),
    ...(avatarBotUrl === null ? {} : { bot: avatarBotUrl }),
  };
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EADDRINUSE') throw new Error(`PORT must be free, got ${port}, which another program uses`);
    if (code === 'EACCES') throw new Error(`PORT must be a port this user may open, got ${port}`);
    throw cause;
  }
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${reachableAt(host)}:${port}`;
}

/** In the format of URLs. */
function reachableAt(host: string): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return reachable.includes(':') ? `[${reachable}]` : reachable;
}
