import Koa from 'koa';
import type { Logger } from 'pino';
import { createAccountRoutes } from './accounts/account-routes.ts';
import { createLogSecurity } from './accounts/log-security.ts';
import type { OpenAccounts } from './accounts/open-accounts.ts';
import { createRightRoutes } from './accounts/right-routes.ts';
import type { ModelDesk } from './answers/model/model-desk.ts';
import type { Answers } from './answers/open-answers.ts';
import { createChatRoutes } from './chat/chat-routes.ts';
import { createConversationRoutes } from './chat/conversation-routes.ts';
import { createModelRoutes } from './chat/model-routes.ts';
import type { OpenChat } from './chat/open-chat.ts';
import { createPredictRoutes } from './chat/predict-routes.ts';
import { createShareRoutes } from './chat/share-routes.ts';
import { createCanaryRoutes } from './compositions/canary-routes.ts';
import { createChangeRoutes } from './compositions/changes/change-routes.ts';
import { createCompositionRoutes } from './compositions/composition-routes.ts';
import type { OpenCompositions } from './compositions/open-compositions.ts';
import { createOverrideRoutes } from './compositions/override-routes.ts';
import { createPreviewRoutes } from './compositions/preview-routes.ts';
import { createReleaseRoutes } from './compositions/release-routes.ts';
import { createReportRoutes } from './compositions/report-routes.ts';
import { createRestrictionRoutes } from './compositions/restriction-routes.ts';
import { createStackRoutes } from './compositions/stack-routes.ts';
import { createTokenRoutes } from './compositions/tokens/token-routes.ts';
import { createViolationRoutes } from './compositions/violation-routes.ts';
import { createWebhookRoutes } from './compositions/webhooks/webhook-routes.ts';
import { createYankRoutes } from './compositions/yank-routes.ts';
import type { Config } from './config/config.ts';
import type { SettingsReply } from './contract/settings.ts';
import { createFileRoutes } from './files/file-routes.ts';
import type { OpenFiles } from './files/open-files.ts';
import { createHandoverRoutes } from './handover/handover-routes.ts';
import { createInboxRoutes } from './handover/inbox-routes.ts';
import type { OpenHandover } from './handover/open-handover.ts';
import type { DeskContext, DeskState } from './http/desk-state.ts';
import { drainBody } from './http/drain-body.ts';
import { writeErrors } from './http/error-body.ts';
import { createHealthRoutes } from './http/health-routes.ts';
import { knownHost } from './http/known-host.ts';
import { language } from './http/language.ts';
import { logRequests } from './http/log-requests.ts';
import { receiveUpload } from './http/receive-upload.ts';
import { refuseCrossSite } from './http/refuse-cross-site.ts';
import { requestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { wellFormedUrl } from './http/well-formed-url.ts';
import { createKnowledgeRoutes } from './knowledge/knowledge-routes.ts';
import type { Knowledge } from './knowledge/open-knowledge.ts';
import { createPassageRoutes } from './knowledge/passage-routes.ts';
import { createArchiveRoutes } from './records/archive/archive-routes.ts';
import { createContactRoutes } from './records/contact-book/contact-routes.ts';
import { createConversationExportRoutes } from './records/conversation-export/export-routes.ts';
import { createErasureRoutes } from './records/erasure/erasure-routes.ts';
import type { OpenRecords } from './records/open-records.ts';
import { createPdfRoutes } from './records/pdf/pdf-routes.ts';
import { createRecordRoutes } from './records/record-routes.ts';
import { createDeskRoutes } from './settings/desk-routes.ts';
import type { createReadFirstSteps } from './settings/first-steps.ts';
import type { OpenSettings } from './settings/open-settings.ts';
import type { Retention } from './settings/retention.ts';
import { createSettingsRoutes } from './settings/settings-routes.ts';

/** The opened domains, see server.ts. */
export interface Domains {
  config: Config;
  log: Logger;
  accounts: OpenAccounts;
  answers: Answers;
  modelDesk: ModelDesk;
  files: OpenFiles;
  records: OpenRecords;
  chat: OpenChat;
  knowledge: Knowledge;
  handover: OpenHandover;
  compositions: OpenCompositions;
  desk: OpenSettings & {
    readFirstSteps: ReturnType<typeof createReadFirstSteps>;
    retention: Retention;
    product: SettingsReply['product'];
  };
  /** Resolves if the store answers. */
  ping(): Promise<void>;
}

/** The whole middleware pipeline, from the outside in. */
export function createApp(domains: Domains): Koa<DeskState> {
  const {
    config,
    log,
    accounts,
    answers,
    modelDesk,
    files,
    records,
    chat,
    knowledge,
    handover,
    compositions,
    desk,
  } = domains;
  const { identity, limits } = accounts;
  const { ops } = compositions;
  const { identify } = identity;
  const logSecurity = createLogSecurity(log);
  const app = new Koa<DeskState>();
  app.proxy = config.trustProxy > 0;
  app.maxIpsCount = config.trustProxy;
  app.on('error', (cause) => log.debug({ err: cause }, 'a response was interrupted'));

  app.use(drainBody());
  app.use(requestId(config));
  app.use(language());
  app.use(logRequests(log));
  app.use(securityHeaders(config));
  app.use(writeErrors(log));
  app.use(knownHost(config));
  app.use(wellFormedUrl());
  app.use(refuseCrossSite(config));

  app.use(createHealthRoutes(domains).routes());
  app.use(createAccountRoutes({ ...accounts, config, logSecurity, limit: limits.signIn }).routes());
  app.use(createChatRoutes({ ...chat, modelDesk, identify, limit: limits.chat }).routes());
  app.use(
    createPredictRoutes({
      ...chat,
      ...files,
      ...accounts,
      modelDesk,
      log,
      identify,
      limit: limits.chat,
    }).routes(),
  );
  app.use(createFileRoutes({ ...files, identify }).routes());
  app.use(createConversationRoutes({ ...records, config, identify }).routes());
  app.use(createConversationExportRoutes({ ...records, identify, limit: limits.pdf }).routes());
  app.use(createShareRoutes({ ...records, ...files, ...identity, config, limit: limits.shared }).routes());
  app.use(createErasureRoutes({ ...records, identify }).routes());
  app.use(
    createModelRoutes({
      ...records,
      modelDesk,
      embeddings: config.embeddings && answers.embeddings,
      identify,
      needCompose: ops.needCompose,
    }).routes(),
  );
  const handoverFigures = async ({ state: { signedIn } }: DeskContext) =>
    signedIn && accounts.editors.isAgent(signedIn.user) ? handover.figures() : undefined;
  app.use(createRecordRoutes({ ...records, handoverFigures, identify }).routes());
  app.use(createContactRoutes({ ...records, identify }).routes());
  app.use(createPdfRoutes({ ...records, identify, limit: limits.pdf }).routes());
  app.use(createArchiveRoutes({ ...records, ...accounts, ...identity, logSecurity }).routes());
  const receiveFile = receiveUpload({ ...files.upload, maxFiles: 1 });
  app.use(createKnowledgeRoutes({ ...identity, knowledge, log, receiveFile }).routes());
  app.use(
    createPassageRoutes({ starters: answers.starters, readPassage: files.readPassage, identify }).routes(),
  );
  app.use(createHandoverRoutes({ ...handover, ...accounts, identify, limit: limits.chat }).routes());
  app.use(createInboxRoutes({ ...handover, ...accounts, ...identity, log }).routes());
  app.use(createDeskRoutes(desk).routes());
  app.use(createSettingsRoutes({ ...desk, ...accounts, ...identity, logSecurity }).routes());
  const granting = { needAdmin: ops.need('admin'), logSecurity };
  app.use(createRightRoutes('editors', accounts.editors, granting).routes());
  app.use(createRightRoutes('administrators', accounts.administrators, granting).routes());
  app.use(createTokenRoutes({ ...compositions, log }).routes());
  app.use(createReleaseRoutes({ ...compositions, ops, log }).routes());
  app.use(createCompositionRoutes({ ...compositions, ops }).routes());
  app.use(createYankRoutes({ ...compositions }).routes());
  app.use(createWebhookRoutes({ ...compositions, log }).routes());
  app.use(createRestrictionRoutes({ ...compositions, ops }).routes());
  app.use(createChangeRoutes({ ...compositions, ops }).routes());
  app.use(createCanaryRoutes({ ...compositions, ops }).routes());
  app.use(createReportRoutes({ ...compositions, ops, limits }).routes());
  app.use(createStackRoutes({ ...compositions, ops }).routes());
  app.use(createOverrideRoutes({ ...compositions, config, log, ops }).routes());
  app.use(createPreviewRoutes({ ...compositions, config, log, ops }).routes());
  app.use(createViolationRoutes({ log, limits }).routes());
  app.use(identity.refuseEnded);
  app.use(compositions.pages.routes());
  return app;
}
