import Koa from 'koa';
import {
  createAccountRoutes,
  limitByAccount,
  limitByChallenge,
  limitBySession,
} from './accounts/account-routes.ts';
import { createAuditRoutes } from './accounts/audit/audit-routes.ts';
import { createPasskeyRoutes } from './accounts/passkey-routes.ts';
import { createPeopleRoutes } from './accounts/people-routes.ts';
import { createRoleRoutes } from './accounts/role-routes.ts';
import { createSecondFactorRoutes } from './accounts/second-factor-routes.ts';
import { createSsoRoutes } from './accounts/sso-routes.ts';
import { createChatRoutes } from './chat/chat-routes.ts';
import { createConversationRoutes } from './chat/conversation-routes.ts';
import { createFormRoutes } from './chat/form-routes.ts';
import { createModelRoutes } from './chat/model-routes.ts';
import { createPredictRoutes } from './chat/predict-routes.ts';
import { createShareRoutes } from './chat/share-routes.ts';
import { createCollectionRoutes } from './collections/collection-routes.ts';
import { createFileRoutes } from './files/file-routes.ts';
import { createHandoverRoutes } from './handover/handover-routes.ts';
import { createInboxRoutes } from './handover/inbox-routes.ts';
import { basePathOf, belowBasePath } from './http/base-path.ts';
import type { DeskContext, DeskRouter, DeskState } from './http/desk-state.ts';
import { drainBody } from './http/drain-body.ts';
import { writeErrors } from './http/error-body.ts';
import { createHealthRoutes } from './http/health-routes.ts';
import { createJobRoutes } from './http/job-routes.ts';
import { knownHost } from './http/known-host.ts';
import { language } from './http/language.ts';
import { logRequests } from './http/log-requests.ts';
import { createMetricsRoute } from './http/metrics-route.ts';
import { createOpenApiRoutes } from './http/openapi-routes.ts';
import { receiveUpload } from './http/receive-upload.ts';
import { refuseCrossSite } from './http/refuse-cross-site.ts';
import { requestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { traceRequests } from './http/trace-requests.ts';
import { wellFormedUrl } from './http/well-formed-url.ts';
import { createKnowledgeRoutes } from './knowledge/knowledge-routes.ts';
import { createOverviewRoutes } from './knowledge/overview-routes.ts';
import { createPassageRoutes } from './knowledge/passage-routes.ts';
import type { Domains } from './open-domains.ts';
import { createArchiveRoutes } from './records/archive/archive-routes.ts';
import { createContactRoutes } from './records/contact-book/contact-routes.ts';
import { createConversationExportRoutes } from './records/conversation-export/export-routes.ts';
import { createDeletionRoutes } from './records/deletion/deletion-routes.ts';
import { createPdfRoutes } from './records/pdf/pdf-routes.ts';
import { createRecordRoutes } from './records/record-routes.ts';
import { createCanaryRoutes } from './releases/canary/canary-routes.ts';
import { createChangeRoutes } from './releases/changes/change-routes.ts';
import { createReportRoutes } from './releases/health/report-routes.ts';
import { createViolationRoutes } from './releases/health/violation-routes.ts';
import { createCompositionRoutes } from './releases/live/composition-routes.ts';
import { createRestrictionRoutes } from './releases/live/restriction-routes.ts';
import { createYankRoutes } from './releases/live/yank-routes.ts';
import { createOverrideRoutes } from './releases/preview/override-routes.ts';
import { createPreviewRoutes } from './releases/preview/preview-routes.ts';
import { createReleaseRoutes } from './releases/publish/release-routes.ts';
import { createTokenRoutes } from './releases/tokens/token-routes.ts';
import { createWebhookRoutes } from './releases/webhooks/webhook-routes.ts';
import { createDeskRoutes } from './settings/desk-routes.ts';
import { createSettingsRoutes } from './settings/settings-routes.ts';

/** The whole middleware pipeline, from the outside in. `drain` aborts when the server begins to stop. */
export function createApp(domains: Domains, drain: AbortSignal): Koa<DeskState> {
  const { config, log, jobs, clock, ping, modelDesk, knowledge, handover, desk } = domains;
  const { sessions, guests, rights, roles, devices, identity, guardRoutes, quotas, limits } =
    domains.accounts;
  const { readFiles, readPassage, sourceDocuments, upload } = domains.files;
  const { conversations, deletions, recordList, contacts, shares, shared } = domains.records;
  const { composing, changes, ops, live, overrides, releases } = domains.compositions;
  const { logSecurity, audited } = domains.auditing;
  const app = new Koa<DeskState>();
  app.proxy = config.trustProxy > 0;
  app.maxIpsCount = config.trustProxy;
  app.on('error', (cause) => log.debug({ err: cause }, 'a response was interrupted'));

  app.use(drainBody());
  const basePath = basePathOf(config);
  if (basePath) app.use(belowBasePath(basePath));
  if (config.otlpEndpoint !== null) app.use(traceRequests());
  app.use(requestId(config));
  app.use(language());
  app.use(logRequests(log, domains.metrics));
  app.use(securityHeaders(config));
  app.use(writeErrors(log));
  app.use(audited);
  app.use(knownHost(config));
  app.use(wellFormedUrl());
  app.use(refuseCrossSite(config));

  const use = (router: DeskRouter) => {
    guardRoutes(router);
    app.use(router.routes());
  };
  use(createHealthRoutes({ config, clock, ping, drain }));
  if (domains.metrics && config.metricsPort === null) use(createMetricsRoute(domains.metrics, config));
  use(createOpenApiRoutes());
  const { accounts, proofs, secondFactors, passkeys } = domains.accounts;
  const limiting = { limit: limits.signIn, devices, logSecurity, config };
  const limitByCode = limitByChallenge({ secondFactors, ...limiting });
  const bySession = limitBySession(limiting);
  use(
    createAccountRoutes({
      accounts,
      proofs,
      sessions,
      providers: domains.accounts.providers,
      links: domains.accounts.oneTimeLinks,
      limitByCode,
      setup: domains.accounts.setup,
      identity,
      devices,
      logSecurity,
      limit: limits.signIn,
      config,
    }),
  );
  use(createSecondFactorRoutes({ accounts, secondFactors, passkeys, bySession, logSecurity }));
  use(
    createPasskeyRoutes({
      passkeys,
      accounts,
      secondFactors,
      identity,
      bySession,
      limits,
      logSecurity,
      config,
    }),
  );
  const { oneTimeLinks, providers, singleSignOn, ssoCookies } = domains.accounts;
  const limitByName = limitByAccount(limiting);
  use(
    createSsoRoutes({
      providers,
      singleSignOn,
      proofs,
      cookies: ssoCookies,
      identity,
      limitByName,
      limit: limits.providerLogout,
      logSecurity,
      log,
      config,
    }),
  );
  const { asking, predicting } = domains.chat;
  use(createChatRoutes({ asking, modelDesk, limit: limits.chat }));
  use(createPredictRoutes({ predicting, modelDesk, quotas, upload, log, limit: limits.chat }));
  use(createFileRoutes({ readFiles, sourceDocuments }));
  use(createConversationRoutes({ conversations, deletions, config }));
  use(
    createFormRoutes({
      asking,
      conversations,
      accounts,
      setup: domains.accounts.setup,
      identity,
      limitByName,
      limitByCode,
      limit: limits.chat,
      logSecurity,
      desk: domains.desk.read,
    }),
  );
  const { conversationExport, reports, search, stats, feedback, contactBook } = domains.records;
  use(createConversationExportRoutes({ conversationExport, limit: limits.pdf }));
  use(createShareRoutes({ shares, shared, readFiles, limit: limits.shared }));
  use(createDeletionRoutes({ deletions }));
  const { embeddings, starters } = domains.answers;
  use(
    createModelRoutes({
      modelDesk,
      recordList,
      embeddings: config.embeddings && embeddings,
      needCompose: ops.needCompose,
    }),
  );
  const handoverFigures = async ({ state }: DeskContext) =>
    state.rights.includes('see_all_reports') ? handover.figures() : undefined;
  use(createRecordRoutes({ recordList, search, stats, feedback, handoverFigures }));
  use(createContactRoutes({ contacts, contactBook }));
  use(createPdfRoutes({ reports, limits }));
  const { exporting, importing } = domains.records;
  use(createArchiveRoutes({ exporting, importing, quotas }));
  const receiveFile = receiveUpload({ ...upload, maxFiles: 1 });
  use(
    createCollectionRoutes({
      collections: domains.collections,
      models: domains.answers.models,
      hideQuestions: knowledge.inbox.hideCollection,
      forget: knowledge.golden.forget,
    }),
  );
  use(createKnowledgeRoutes({ knowledge, log, receiveFile }));
  const { documents, inbox } = knowledge;
  use(
    createOverviewRoutes({
      deskDays: domains.records.deskDays,
      documents,
      inbox,
      collections: domains.collections,
    }),
  );
  use(createPassageRoutes({ starters, readPassage }));
  use(createHandoverRoutes({ handover, sessions, guests, limit: limits.chat }));
  use(createInboxRoutes({ handover, rights, sessions, log }));
  const { settings, logos, retention, readFirstSteps, product } = desk;
  use(createDeskRoutes({ settings, logos }));
  use(
    createSettingsRoutes({
      settings,
      logos,
      retention,
      product,
      readFirstSteps,
    }),
  );
  use(
    createPeopleRoutes({
      ...domains.accounts,
      links: oneTimeLinks,
      transfers: domains.transfers,
      logSecurity,
    }),
  );
  use(createAuditRoutes(domains.audit, domains.auditStream));
  const giving = { roles, rights, needAdmin: ops.need('admin'), logSecurity };
  use(createRoleRoutes('editors', giving));
  use(createRoleRoutes('administrators', giving));
  use(createJobRoutes({ jobs, needAdmin: ops.need('admin'), log }));
  const { tokens, webhooks, restrictions, canaries, readProgress, compositions } = domains.compositions;
  use(
    createTokenRoutes({
      tokens,
      ops,
      proofs,
      operators: domains.accounts.operators,
      limit: bySession,
      logSecurity,
      log,
    }),
  );
  use(createReleaseRoutes({ releases, ops, log }));
  use(createCompositionRoutes({ store: compositions, composing, changes, ops }));
  use(createYankRoutes({ releases, ops }));
  use(createWebhookRoutes({ webhooks, ops, log }));
  use(createRestrictionRoutes({ restrictions, ops }));
  use(createChangeRoutes({ changes, ops }));
  use(createCanaryRoutes({ canaries, readProgress, composing, changes, ops }));
  const { pageReports, readHealth, previews, pages } = domains.compositions;
  use(createReportRoutes({ pageReports, overrides, readHealth, ops, limits }));
  use(createOverrideRoutes({ overrides, live, compositions, config, log, ops }));
  use(createPreviewRoutes({ previews, live, composing, config, log, ops }));
  use(createViolationRoutes({ log, limits }));
  app.use(identity.refuseEnded);
  app.use(pages.routes());
  return app;
}
