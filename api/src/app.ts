import type Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { ModelDesk } from './answers/model/model-desk.ts';
import type { Exporting } from './archive/exporting.ts';
import type { Importing } from './archive/importing.ts';
import type { Config } from './config.ts';
import type { DeskState } from './middleware/desk-state.ts';
import { writeErrors } from './middleware/error-body.ts';
import type { Identity } from './middleware/identify.ts';
import { language } from './middleware/language.ts';
import { logRequests } from './middleware/log-requests.ts';
import { requestId } from './middleware/request-id.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import type { UploadBounds } from './middleware/take-upload.ts';
import { takeWholeBody } from './middleware/take-whole-body.ts';
import { wellFormedUrl } from './middleware/well-formed-url.ts';
import type { Reports } from './pdf/reports.ts';
import { createAccountRoutes } from './routes/account-routes.ts';
import { createArchiveRoutes } from './routes/archive-routes.ts';
import { createChatRoutes } from './routes/chat-routes.ts';
import { createConversationRoutes } from './routes/conversation-routes.ts';
import { createErasureRoutes } from './routes/erasure-routes.ts';
import { createFileRoutes } from './routes/file-routes.ts';
import { createHealthRoutes } from './routes/health-routes.ts';
import { createModelRoutes } from './routes/model-routes.ts';
import { createPassageRoutes, type ReadPassage } from './routes/passage-routes.ts';
import { createPdfRoutes } from './routes/pdf-routes.ts';
import { createPredictRoutes } from './routes/predict-routes.ts';
import { createRecordRoutes } from './routes/record-routes.ts';
import { createSearchRoutes } from './routes/search-routes.ts';
import type { Accounts } from './services/accounts.ts';
import type { Asking } from './services/asking.ts';
import type { Contacts } from './services/contacts.ts';
import type { Conversations } from './services/conversations.ts';
import type { Erasures } from './services/erasures.ts';
import type { FeedbackGiver } from './services/feedback.ts';
import type { Limit } from './services/limits.ts';
import type { Predicting } from './services/predicting.ts';
import type { RecordList } from './services/record-list.ts';
import type { Search } from './services/search.ts';
import type { Sessions } from './services/sessions.ts';
import type { Stats } from './services/stats.ts';
import type { ReadFiles } from './uploads/read-files.ts';

export interface AppDeps {
  config: Pick<Config, 'trustProxy' | 'publicUrl'>;
  log: Logger;
  ping(): Promise<void>;
  identity: Identity;
  accounts: Accounts;
  sessions: Sessions;
  asking: Asking;
  predicting: Predicting;
  readFiles: ReadFiles;
  upload: UploadBounds;
  modelDesk: ModelDesk;
  contacts: Contacts;
  search: Search;
  stats: Stats;
  feedback: FeedbackGiver;
  conversations: Conversations;
  recordList: RecordList;
  erasures: Erasures;
  exporting: Exporting;
  importing: Importing;
  reports: Reports;
  readPassage: ReadPassage;
  limits: { chat: Limit; signIn: Limit };
  /** Whatever is no call: pages and the files of releases. */
  pages: Router;
}

/** The whole pipeline, from the outside in. */
export function createApp(deps: AppDeps): Koa<DeskState> {
  const { config, log, identity, limits } = deps;
  const { identify } = identity;
  const app = new Koa<DeskState>();
  app.proxy = config.trustProxy > 0;
  app.maxIpsCount = config.trustProxy;
  app.on('error', (cause) => log.debug({ err: cause }, 'a response was cut short'));

  app.use(takeWholeBody());
  app.use(requestId(config));
  app.use(language());
  app.use(logRequests(log));
  app.use(securityHeaders(config));
  app.use(writeErrors(log));
  app.use(wellFormedUrl());

  app.use(createHealthRoutes(deps).routes());
  app.use(createAccountRoutes({ ...deps, limit: limits.signIn }).routes());
  app.use(createChatRoutes({ ...deps, identify, limit: limits.chat }).routes());
  app.use(createPredictRoutes({ ...deps, identify, limit: limits.chat }).routes());
  app.use(createFileRoutes({ ...deps, identify }).routes());
  app.use(createConversationRoutes({ ...deps, identify }).routes());
  app.use(createErasureRoutes({ ...deps, identify }).routes());
  app.use(createModelRoutes({ ...deps, identify }).routes());
  app.use(createRecordRoutes({ ...deps, identify }).routes());
  app.use(createSearchRoutes({ ...deps, identify }).routes());
  app.use(createPdfRoutes({ ...deps, identify }).routes());
  app.use(createArchiveRoutes({ ...deps, ...identity }).routes());
  app.use(createPassageRoutes({ ...deps, identify }).routes());
  app.use(identity.refuseEnded);
  app.use(deps.pages.routes());
  return app;
}
