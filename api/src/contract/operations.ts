import { z } from 'zod';
import * as accounts from './accounts.ts';
import { AnswerReason, Passage, StarterList } from './answers.ts';
import * as archives from './archives.ts';
import { AuditCheck, AuditFilter, AuditPage, AuditSearch } from './audit.ts';
import * as chat from './chat.ts';
import { CollectionId, CollectionList, CollectionRequest } from './collections.ts';
import * as contacts from './contacts.ts';
import * as deletions from './deletions.ts';
import { SourceDocument, SourceText, SourceTextQuery } from './documents.ts';
import { PageQuery } from './fields.ts';
import { UploadRules } from './files.ts';
import * as golden from './golden.ts';
import * as handover from './handover.ts';
import * as knowledge from './knowledge.ts';
import { ModelList, ModelUsage } from './models.ts';
import { InvitationRequest, LinkInfo, LinkQuery, LinkUse, OneTimeLink } from './one-time-links.ts';
import { callsOf, type Operation } from './operation.ts';
import { opsOperations } from './ops-operations.ts';
import { DeskOverview, OverviewQuery } from './overview.ts';
import { NewPasskey, PasskeyOptions, PasskeyProof, PasskeySignIn } from './passkeys.ts';
import * as people from './people.ts';
import * as records from './records.ts';
import * as search from './search.ts';
import * as settings from './settings.ts';
import * as sharing from './sharing.ts';
import { ConfirmPage, ConfirmRequest, FrontChannelLogout, SignedOut, SsoSession } from './single-sign-on.ts';
import { SynonymChange, SynonymList } from './synonyms.ts';

const anyone = callsOf('anyone');
const byLink = callsOf('link');
const account = callsOf('account');
const ask = callsOf('ask');
const answerPeople = callsOf('answer_people');
/** They reply with the conversation. */
const readConversation = callsOf('answer_people', 'conversation_read');
const editKnowledge = callsOf('edit_knowledge');
const changeKnowledge = callsOf('edit_knowledge', 'knowledge_changed');
const editCollection = callsOf('edit_collection');
const changeCollection = callsOf('edit_collection', 'knowledge_changed');
const administer = callsOf('administer');
const changeRights = callsOf('administer', 'permission_changed');
const changeSettings = callsOf('administer', 'settings_changed');
const TokenReply = accounts.AdminReply(z.string());
const SsoReply = accounts.AdminReply(SsoSession);
const DoneReply = TokenReply.omit({ data: true });
/** In a conversation with files, the answer describes them. */
const AnyAnswer = chat.PredictAnswer.or(chat.ChatAnswer);
const ContactList = z.union([contacts.ContactSummaryPage, search.ContactPage]);
const anyFile = '*/*';

/** Every call, by method and path. */
export const operations: Record<string, Operation> = {
  'GET /api/openapi.json': anyone({ 200: z.record(z.string(), z.unknown()), 304: null }),

  'POST /admin/register': anyone({ body: accounts.Credentials, 200: TokenReply }),
  'POST /admin/login': anyone({ body: accounts.Credentials, 200: accounts.SignInReply(z.string()) }),
  'POST /admin/login/code': anyone({ body: accounts.CodeAnswer, 200: accounts.SignInReply(SsoSession) }),
  'POST /admin/link': anyone({ body: LinkQuery, 200: LinkInfo }),
  'POST /admin/link/use': anyone({ body: LinkUse, 200: SsoReply }),
  'POST /admin/auth': account({ 200: accounts.AdminReply(z.object({ username: z.string() })) }),
  'POST /admin/logout': account({ 200: accounts.AdminReply(SignedOut) }),
  'GET /admin/sso/:provider/start': anyone({ 302: null }),
  'GET /admin/sso/:provider/callback': anyone({ 302: null }),
  'POST /admin/sso/:provider/logout': anyone({ body: 'application/x-www-form-urlencoded', 200: null }),
  'GET /admin/sso/:provider/frontchannel-logout': anyone({ query: FrontChannelLogout, 200: null }),
  'POST /admin/sso/link': anyone({ body: accounts.LinkCredentials, 200: SsoReply }),
  'POST /admin/sso/confirm': account({ body: ConfirmRequest, 200: ConfirmPage }),
  'POST /admin/sso/create': anyone({ 200: SsoReply }),
  'POST /admin/password': account({ body: accounts.PasswordChange, 200: DoneReply }),
  'GET /admin/second-factor': account({ 200: accounts.SecondFactorState }),
  'POST /admin/second-factor/secret': account({ 200: accounts.AdminReply(accounts.SecondFactorSecret) }),
  'POST /admin/second-factor': account({
    body: accounts.SecondFactorProof,
    200: accounts.AdminReply(accounts.RecoveryCodes),
  }),
  'POST /admin/second-factor/recovery-codes': account({
    body: accounts.SecondFactorProof,
    200: accounts.AdminReply(accounts.RecoveryCodes),
  }),
  'DELETE /admin/second-factor': account({ body: accounts.SecondFactorProof, 200: DoneReply }),
  'POST /admin/passkeys/challenge': account({ body: PasskeyProof, 200: accounts.AdminReply(PasskeyOptions) }),
  'POST /admin/passkeys': account({ body: NewPasskey, 200: DoneReply }),
  'DELETE /admin/passkeys/:id': account({ 200: DoneReply }),
  'POST /admin/passkeys/sign-in/challenge': anyone({ 200: PasskeyOptions }),
  'POST /admin/passkeys/sign-in': anyone({ body: PasskeySignIn, 200: SsoReply }),
  'GET /admin/sessions': account({ 200: accounts.SessionList }),
  'DELETE /admin/sessions': account({ 200: DoneReply }),
  'DELETE /admin/sessions/:id': account({ 200: DoneReply }),
  'DELETE /admin/account': account({ body: accounts.Proof, 200: DoneReply }),
  'GET /admin/export': account({ audit: 'export', 200: 'application/json' }),

  'POST /api/chat': ask({ body: chat.ChatQuestion, 200: AnyAnswer, events: chat.AnswerEvent }),
  'GET /api/chat/:recordId': ask({ events: chat.AnswerEvent }),
  'POST /api/chat/:recordId/stop': ask({ 200: chat.StopReply }),
  'POST /api/chat/:recordId/retry': ask({
    body: chat.RetryRequest,
    200: AnyAnswer,
    events: chat.AnswerEvent,
  }),
  'GET /api/upload-rules': ask({ 200: UploadRules }),
  'POST /api/predict': ask({
    query: z.object({ progress: z.literal('1').optional() }),
    body: chat.PredictQuestion,
    files: 10,
    200: chat.PredictAnswer,
    events: chat.AnswerEvent,
  }),
  'GET /api/models': ask({ 200: ModelList }),
  'GET /api/usage': ask({ 200: ModelUsage }),
  'GET /api/starters': ask({ 200: StarterList }),
  'GET /api/passages/:id': ask({ 200: Passage }),
  'GET /api/files/:id': ask({ 200: anyFile }),
  'GET /api/documents/:id': ask({ 200: SourceDocument }),
  'GET /api/documents/:id/text': ask({ query: SourceTextQuery, 200: SourceText }),
  'GET /api/documents/:id/file': ask({ 200: anyFile }),

  'GET /api/conversations': ask({ query: records.ConversationQuery, 200: records.ConversationPage }),
  'GET /api/conversations/:id/records': ask({ query: PageQuery, 200: records.RecordPage }),
  'PATCH /api/conversations/:id': ask({ body: records.ConversationChange, 200: records.Conversation }),
  'DELETE /api/conversations/:id': ask({ audit: 'records_deleted', 200: deletions.ConversationDeletion }),
  'GET /api/conversations/:id/export': ask({
    audit: 'export',
    query: archives.ConversationExportQuery,
    200: anyFile,
  }),
  'GET /api/shares': ask({ query: PageQuery, 200: sharing.SharePage }),
  'GET /api/conversations/:id/share': ask({ 200: sharing.ShareState }),
  'POST /api/conversations/:id/share': ask({ body: sharing.ShareRequest, 200: sharing.NewShare }),
  'PATCH /api/conversations/:id/share': ask({ body: sharing.ShareRequest, 200: sharing.Share }),
  'DELETE /api/conversations/:id/share': ask({ 204: null }),
  'POST /api/shared': byLink({ body: sharing.SharedRequest, 200: sharing.SharedConversation }),
  'POST /api/shared/file': byLink({ body: sharing.SharedFileRequest, 200: anyFile }),

  'GET /api/records': ask({ query: PageQuery, 200: records.RecordPage }),
  'GET /api/records/:id': ask({ 200: records.DeskRecord }),
  'GET /api/records/:id/why': ask({ 200: AnswerReason }),
  'POST /api/search': ask({ body: search.SearchRequest, 200: search.SearchPage }),
  'GET /api/stats': ask({ query: search.RecordFilter, 200: search.RecordStats }),
  'POST /api/stats': ask({ body: search.RecordFilter, 200: search.RecordStats }),
  'POST /api/feedback': ask({ body: search.FeedbackRequest, 200: search.FeedbackReply }),
  'POST /api/export': ask({ audit: 'export', body: archives.ExportRequest, 200: anyFile }),
  'POST /api/import': ask({ body: archives.RecordArchive, 200: archives.ImportReply }),
  'POST /api/generate_pdf': ask({ body: archives.PdfRequest, 200: 'application/pdf' }),
  'POST /api/preview_pdf': ask({ body: archives.PdfRequest, 200: 'application/pdf' }),

  'POST /api/delete_by_contact': ask({
    audit: 'records_deleted',
    body: deletions.DeleteByContact,
    200: deletions.Deletion,
  }),
  'POST /api/delete_by_date': ask({
    audit: 'records_deleted',
    body: deletions.DeleteByDate,
    200: deletions.Deletion,
  }),
  'POST /api/delete_by_ids': ask({
    audit: 'records_deleted',
    body: deletions.DeleteByIds,
    200: deletions.Deletion,
  }),
  'POST /api/undo_delete': ask({
    audit: 'deletion_undone',
    body: deletions.UndoRequest,
    200: deletions.UndoReply,
  }),
  'POST /api/purge': ask({ audit: 'records_purged', body: deletions.UndoRequest, 200: deletions.PurgeReply }),
  'GET /api/bin': ask({ query: PageQuery, 200: deletions.BinPage }),

  'GET /api/contacts': ask({ query: contacts.ContactQuery, 200: ContactList }),
  'POST /api/contacts/search': ask({ body: contacts.ContactSearch, 200: ContactList }),
  'POST /api/contacts/read': ask({ body: contacts.ContactRequest, 200: contacts.ContactDetails }),
  'PATCH /api/contacts': ask({ body: contacts.ContactChange, 200: contacts.ContactChangeReply }),
  'POST /api/contacts/merge': ask({ body: contacts.ContactMergeRequest, 200: contacts.ContactMergeReply }),
  'POST /api/undo_contact': ask({ body: deletions.UndoRequest, 200: contacts.ContactUndoReply }),

  'GET /api/overview': administer({ query: OverviewQuery, 200: DeskOverview }),
  'GET /api/knowledge': account({ 200: knowledge.KnowledgeSummary }),
  'GET /api/knowledge/collections': account({ 200: CollectionList }),
  'POST /api/knowledge/collections': changeRights({ body: CollectionRequest, 201: CollectionList }),
  'PUT /api/knowledge/collections/:id': changeRights({ body: CollectionRequest, 200: CollectionList }),
  'DELETE /api/knowledge/collections/:id': changeRights({ 200: CollectionList }),
  'GET /api/knowledge/documents': account({
    query: knowledge.KnowledgeQuery,
    200: knowledge.KnowledgeDocumentPage,
  }),
  'POST /api/knowledge/documents/search': account({
    body: knowledge.KnowledgeSearch,
    200: knowledge.KnowledgeDocumentPage,
  }),
  'POST /api/knowledge/documents': changeCollection({
    body: z.object({
      title: z.string().exactOptional(),
      draft: z.literal('1').exactOptional(),
      collection: CollectionId.exactOptional(),
    }),
    files: 1,
    200: knowledge.KnowledgeDocumentReply,
    201: knowledge.KnowledgeDocumentReply,
  }),
  'GET /api/knowledge/documents/:id': account({ 200: knowledge.KnowledgeDocumentReply }),
  'GET /api/knowledge/documents/:id/passages': account({
    query: PageQuery,
    200: knowledge.KnowledgePassagePage,
  }),
  'PATCH /api/knowledge/documents/:id': changeCollection({
    body: knowledge.DocumentChange,
    200: knowledge.KnowledgeDocumentReply,
  }),
  'POST /api/knowledge/documents/:id/publish': changeCollection({ 202: knowledge.KnowledgeDocumentReply }),
  'POST /api/knowledge/documents/:id/reindex': changeCollection({ 202: knowledge.KnowledgeDocumentReply }),
  'DELETE /api/knowledge/documents/:id': changeCollection({ 204: null }),
  'GET /api/knowledge/pairs': account({ query: knowledge.KnowledgeQuery, 200: knowledge.KnowledgePairPage }),
  'POST /api/knowledge/pairs/search': account({
    body: knowledge.KnowledgeSearch,
    200: knowledge.KnowledgePairPage,
  }),
  'POST /api/knowledge/pairs': changeCollection({
    body: knowledge.NewKnowledgePair,
    201: knowledge.KnowledgePairReply,
  }),
  'PUT /api/knowledge/pairs/:id': changeCollection({
    body: knowledge.KnowledgePairRequest,
    200: knowledge.KnowledgePairReply,
  }),
  'DELETE /api/knowledge/pairs/:id': changeCollection({ 204: null }),
  'GET /api/knowledge/unanswered': editCollection({
    query: knowledge.UnansweredQuery,
    200: knowledge.UnansweredPage,
  }),
  'POST /api/knowledge/unanswered/:id/answer': changeCollection({
    body: knowledge.UnansweredAnswer,
    201: knowledge.KnowledgePairReply,
  }),
  'POST /api/knowledge/unanswered/ask-again': editCollection({ 202: knowledge.AskedAgain }),
  'POST /api/knowledge/unanswered/:id/reopen': changeCollection({ 204: null }),
  'POST /api/knowledge/unanswered/:id/dismiss': changeCollection({ 204: null }),
  'GET /api/knowledge/synonyms': editKnowledge({ 200: SynonymList }),
  'PUT /api/knowledge/synonyms': changeKnowledge({ body: SynonymChange, 200: SynonymList }),
  'POST /api/knowledge/check': editCollection({
    body: knowledge.KnowledgeChange,
    200: knowledge.KnowledgeCheck,
  }),
  'POST /api/knowledge/try': editCollection({ body: knowledge.TrialQuestion, 200: knowledge.TriedQuestion }),
  'GET /api/knowledge/golden': editCollection({ 200: golden.GoldenList }),
  'GET /api/knowledge/golden/rated': editCollection({ 200: golden.RatedQuestions }),
  'POST /api/knowledge/golden': changeCollection({ body: golden.NewGolden, 201: golden.GoldenReply }),
  'PUT /api/knowledge/golden/:id': changeCollection({ body: golden.GoldenRequest, 200: golden.GoldenReply }),
  'DELETE /api/knowledge/golden/:id': changeCollection({ 204: null }),
  'POST /api/knowledge/golden/import': changeCollection({
    body: golden.GoldenImport,
    200: golden.GoldenImportReply,
  }),
  'POST /api/knowledge/golden/run': editCollection({ 202: golden.GoldenList }),
  'GET /api/knowledge/export': editCollection({
    audit: 'export',
    query: knowledge.ArchiveQuery,
    200: knowledge.KnowledgeArchive,
  }),
  'POST /api/knowledge/import': changeCollection({
    query: knowledge.ArchiveQuery,
    body: knowledge.KnowledgeArchive,
    200: knowledge.KnowledgeImportReply,
  }),

  'POST /api/handovers': ask({
    body: handover.HandoverRequest,
    200: handover.Handover,
    201: handover.Handover,
  }),
  'GET /api/handovers/expectation': ask({ 200: handover.ResponseTime }),
  'GET /api/handovers/events': ask({ events: handover.HandoverEvent }),
  'POST /api/handovers/:id/messages': ask({ body: handover.HandoverMessageRequest, 200: handover.Handover }),
  'POST /api/handovers/:id/close': ask({ 200: handover.Handover }),
  'GET /api/conversations/:id/handovers': ask({ 200: handover.HandoverList }),
  'POST /api/conversations/:id/handovers/seen': ask({ 200: handover.HandoverList }),
  'GET /api/inbox': answerPeople({ query: handover.InboxQuery, 200: handover.InboxPage }),
  'GET /api/inbox/summary': account({ 200: handover.InboxSummary }),
  'GET /api/inbox/events': answerPeople({ events: handover.InboxEvent }),
  'GET /api/inbox/:id': readConversation({ 200: handover.InboxDetail }),
  'POST /api/inbox/:id/take': readConversation({ 200: handover.InboxDetail }),
  'POST /api/inbox/:id/release': readConversation({ 200: handover.InboxDetail }),
  'POST /api/inbox/:id/close': readConversation({ 200: handover.InboxDetail }),
  'POST /api/inbox/:id/messages': readConversation({
    body: handover.HandoverMessageRequest,
    200: handover.InboxDetail,
  }),
  'POST /api/inbox/:id/pair': answerPeople({
    audit: 'knowledge_changed',
    body: handover.InboxPairRequest,
    200: handover.InboxDetail,
  }),

  'GET /api/desk': anyone({ 200: settings.DeskInfo, 304: null }),
  'GET /api/desk/logo': anyone({ query: z.object({ v: z.string().optional() }), 200: 'image/*', 304: null }),
  'POST /api/people/search': administer({ body: people.PeopleSearch, 200: people.PeoplePage }),
  'PATCH /api/people/:id': administer({ body: people.PersonChange, 200: people.Person }),
  'DELETE /api/people/:id': administer({ 200: people.Person }),
  'GET /api/people/:id/shared': administer({ 200: people.SharedThings }),
  'POST /api/people/:id/transfer': administer({ body: people.PersonTransfer, 200: people.SharedThings }),
  'POST /api/people/:id/password-link': administer({ 201: OneTimeLink }),
  'POST /api/people/invitations': administer({ body: InvitationRequest, 201: OneTimeLink }),
  'GET /api/people/groups': administer({ 200: people.GroupList }),
  'POST /api/people/groups': changeRights({ body: people.GroupRequest, 201: people.Group }),
  'PUT /api/people/groups/:id': changeRights({ body: people.GroupRequest, 200: people.Group }),
  'DELETE /api/people/groups/:id': changeRights({ 204: null }),
  'POST /api/audit/search': administer({ body: AuditSearch, 200: AuditPage }),
  'POST /api/audit/verify': administer({ 200: AuditCheck }),
  'POST /api/audit/export': administer({ audit: 'export', body: AuditFilter, 200: 'text/csv' }),
  'GET /api/settings/access': account({ 200: settings.SettingsAccess }),
  'GET /api/settings': administer({ 200: settings.SettingsReply }),
  'PUT /api/settings': changeSettings({ body: settings.SettingsChange, 200: settings.SettingsReply }),
  'POST /api/settings/restore': changeSettings({
    body: settings.SettingsRestore,
    200: settings.SettingsReply,
  }),
  'GET /api/settings/history': administer({ query: PageQuery, 200: settings.SettingsHistory }),
  'GET /api/settings/retention': administer({
    query: settings.RetentionQuery,
    200: settings.RetentionPreview,
  }),
  'PUT /api/settings/logo': changeSettings({ body: 'image/*', 200: settings.LogoReply }),

  ...opsOperations,
};
